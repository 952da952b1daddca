// What the command line brings into the world of an operation.
import { join } from "node:path";
import type { Ground, Store } from "../../operations/world.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import { sourcesFolder } from "../../platform/preflight/preflight-input.ts";
import { environmentToken, openApiOf, storedApiOf } from "../../platform/public-api/api-token.ts";
import { TEST_ENDING } from "../../platform/recordings/saved-test.ts";
import { startSandbox } from "../../platform/sandbox/launch.ts";
import { findFiles } from "../sources/files.ts";
import { createSourceReader } from "../sources/source-reader.ts";
import { type CliHost, openCliHost, type Reach } from "../terminal/host.ts";
import { nextStepText } from "../terminal/next-steps.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { isUsageError, UsageError } from "../terminal/usage-error.ts";
import { teamHost } from "./file-account.ts";
import { type EntryOptions, openBuilder, openEntry } from "./pack-entry.ts";
import { redirectFrom } from "./redirect.ts";
import { terminalRuns } from "./run-ground.ts";
import { runningSandbox } from "./running-sandbox.ts";

/** What only a person may choose, as options of a verb. */
export interface PersonOptions extends EntryOptions {
  readonly "allow-loopback"?: boolean | undefined;
  readonly "no-browser"?: boolean | undefined;
  /** Prints no steps and no notes. */
  readonly quiet?: boolean | undefined;
  readonly redirect?: string | undefined;
}

/** The options are what a person chooses for all packs of a call. `reach` is closed with the accounts. `onOpen` hears of each pack before it is opened. */
export const terminalGround = (terminal: Terminal, options: PersonOptions, reach: Reach, onOpen: (entry: string) => void): Ground => ({
  folder: terminal.folder,
  boundary: undefined,
  storageFolder: userDataFolder(terminal.environment),
  words: nextStepText,
  runs: terminalRuns(terminal, reach.prompter, options["allow-loopback"] === true),
  sourcesOf(entry) {
    const folder = entry === undefined ? terminal.folder : sourcesFolder(entry);
    return {
      folder,
      ...createSourceReader(folder, terminal.environment),
      // A person's pack may import what is above this folder.
      writeSetup: async (...setup) => (await import("../sources/analysis.ts")).writeSetup(...setup),
    };
  },
  openPack(entry, files) {
    onOpen(entry);
    return openEntry(terminal, entry, options, files);
  },
  openSandbox: () => startSandbox({ modulePath: join(terminal.assets, "sandbox.cjs") }),
  runningSandbox: () => runningSandbox(terminal),
  async openStore() {
    const host = await openCliHost(terminal, reach);
    const redirect = redirectFrom(options.redirect);
    return { ...storeOf(terminal, host), allowLoopback: options["allow-loopback"] === true, redirect, close: host.close };
  },
  findTests: async (paths) =>
    findTests(paths, terminal.folder, (message) => terminal.errorOutput.write(formatMessage`pack-auth: ${printable(message)}\n`)),
  openApi({ platform }, pack, asking) {
    const token = environmentToken(terminal.environment);
    return asking === undefined ? storedApiOf(platform, pack, token) : openApiOf(platform, pack, { ...asking, environmentToken: token });
  },
  openBuilder: (entry) => openBuilder(terminal, entry, options),
});

/** Returns the accounts of the host. Requests to this machine are not allowed. */
export const storeOf = (terminal: Terminal, host: CliHost): Store => ({
  accounts: host.accounts,
  platform: host,
  behindProxy: host.behindProxy,
  allowLoopback: false,
  team: teamHost(terminal, host.globalState),
  redirect: undefined,
  uploadsFolder: host.storageFolder,
});

/** Returns the saved tests among files, folders and globs. Throws PackAuthError if a path cannot be read, or is a file of another kind. */
export function findTests(paths: readonly string[], folder: string, report: (message: string) => void): readonly string[] {
  try {
    const files = findFiles(paths, folder, (name) => name.endsWith(TEST_ENDING), report);
    const stranger = files.find((file) => !file.endsWith(TEST_ENDING));
    if (stranger === undefined) return files;
    throw new UsageError(`A test is a file that ends in ${TEST_ENDING}, which ${stranger} does not.`);
  } catch (error) {
    throw isUsageError(error) ? new PackAuthError("invalid-parameter", error.message, { cause: error }) : error;
  }
}
