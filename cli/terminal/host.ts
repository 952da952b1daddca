// The platform's host on the command line: a terminal, the system's browser, the keyring, and its own files.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { type Accounts, openAccounts } from "../../platform/accounts/accounts.ts";
import { systemUserName } from "../../platform/accounts/system-user-name.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { programEnvironment, programOnPath, windowsProgram } from "../../platform/files/programs.ts";
import type { PlatformHost, SecretStore } from "../../platform/host.ts";
import { lookUp } from "../../platform/network/look-up.ts";
import { hintHere } from "./failure.ts";
import { openFetch } from "./fetch.ts";
import { errorOutput } from "./output.ts";
import { formatMessage, printable } from "./printable.ts";
import { openSecretStore } from "./secret-store.ts";
import { stateFile } from "./state-file.ts";
import { makeStorageFolder } from "./storage-folder.ts";
import { createTerminalPrompter } from "./terminal-prompter.ts";

export interface CliHost extends PlatformHost {
  readonly accounts: Accounts;
  readonly behindProxy: boolean;
  /** Why secrets are unreadable; set only if `isListing` ignored the error. */
  readonly unreachable?: PackAuthError;
  close(): void;
}

interface CliHostOptions {
  /** False if the address is only printed. */
  readonly browser?: boolean;
  /** Ignores a keyring that cannot be reached, because a list stores nothing. */
  readonly isListing?: boolean;
}

/** Throws UsageError or storage-failed. */
export async function openCliHost(options: CliHostOptions = {}): Promise<CliHost> {
  const { env } = process;
  const folder = makeStorageFolder();
  const { fetch, behindProxy } = openFetch(env);
  const prompter = createTerminalPrompter(process.stdin, process.stderr);
  const say = (message: string): void => errorOutput.write(formatMessage`${printable(message)}\n`);
  let unreachable: PackAuthError | undefined;
  const host: PlatformHost = {
    secrets: await openSecretStore(folder, env).catch((error: unknown) => {
      if (options.isListing && error instanceof PackAuthError) {
        unreachable = error;
        return unreachableStore(error);
      }
      prompter.close();
      throw error;
    }),
    globalState: stateFile(join(folder, "state.json")),
    workspaceState: stateFile(join(folder, "state.json")),
    prompter,
    home: "terminal",
    async openBrowser(url) {
      say(`Open this address in your browser:\n  ${url}`);
      if (options.browser !== false) openInBrowser(url);
      return true;
    },
    fetch,
    ...(behindProxy ? {} : { lookUp }),
    copy: async (text) => say(text),
    userName: () => env.USER ?? env.USERNAME ?? systemUserName(),
    log: () => {},
    progress: (message) => say(hintHere(message)),
    now: Date.now,
    storageFolder: folder,
  };
  return { ...host, accounts: openAccounts(host), behindProxy, ...defined({ unreachable }), close: prompter.close };
}

function unreachableStore(error: PackAuthError): SecretStore {
  const fail = async (): Promise<never> => {
    throw error;
  };
  return { get: fail, set: fail, delete: fail };
}

/** Opens the browser. If that fails, the printed address remains. The address is passed as one argument, without a shell. */
function openInBrowser(url: string): void {
  try {
    const [command, ...args] = browserCommand(url);
    spawn(command, args, { env: programEnvironment(), stdio: "ignore", detached: true })
      .on("error", () => {})
      .unref();
  } catch {
    // The system has no such program.
  }
}

/** Throws if the system has no program that opens addresses. */
function browserCommand(url: string): readonly [string, ...string[]] {
  if (process.platform === "darwin") return ["/usr/bin/open", url];
  if (process.platform === "win32") return [windowsProgram("rundll32.exe"), "url.dll,FileProtocolHandler", url];
  return [programOnPath("xdg-open"), url];
}
