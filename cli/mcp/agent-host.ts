// The host of the agents' tools in `pack-auth mcp`: the accounts of the command line, and a person in the browser.
import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentHost } from "../../agents/agent-host.ts";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import type { Person } from "../../operations/person.ts";
import type { Store } from "../../operations/world.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import { startSandbox } from "../../platform/sandbox/launch.ts";
import { findTests, storeOf } from "../frame/ground.ts";
import { openEntry } from "../frame/pack-entry.ts";
import { createSourceReader } from "../sources/source-reader.ts";
import { openSilentHost } from "../terminal/host.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";

interface AgentHostOptions {
  readonly isTrusted: boolean;
  readonly allowLoopback: boolean;
  readonly person: Person;
}

/** `path` is the folder that the agent works in. Throws UsageError if it is no folder. */
export function cliAgentHost(terminal: Terminal, path: string, { isTrusted, allowLoopback, person }: AgentHostOptions): AgentHost {
  const folder = realFolder(terminal, path);
  let accounts: Promise<Store> | undefined;
  const howToTrust = (): string | undefined =>
    isTrusted
      ? undefined
      : "Ask the person to trust the folder: they start the server with pack-auth mcp --trust, in the agent's configuration.";
  return {
    folder,
    storageFolder: userDataFolder(terminal.environment),
    version: PRODUCT_VERSION,
    howToTrust,
    sources: createSourceReader(folder, terminal.environment),
    openPack: (entry) => openEntry(terminal, entry, {}, { boundary: folder }),
    openSandbox: () => startSandbox({ modulePath: join(terminal.assets, "sandbox.cjs") }),
    findTests: async (paths) => findTests(paths, folder, () => {}),
    openAccounts() {
      // A keyring that is locked now may be open at the next call.
      const openAgain = (): void => {
        accounts = undefined;
      };
      accounts ??= openAccounts(terminal, { allowLoopback, howToTrust, openAgain });
      return accounts;
    },
    person,
    patience: 50_000,
  };
}

function realFolder(terminal: Terminal, path: string): string {
  try {
    const folder = realpathSync.native(resolve(terminal.folder, path));
    if (statSync(folder).isDirectory()) return folder;
  } catch {
    // The message below says what to do.
  }
  throw new UsageError(`There is no folder ${path}. Name the folder that contains the packs.`);
}

interface AccountsOptions extends Pick<AgentHostOptions, "allowLoopback"> {
  howToTrust(): string | undefined;
  openAgain(): void;
}

async function openAccounts(terminal: Terminal, { allowLoopback, howToTrust, openAgain }: AccountsOptions): Promise<Store> {
  try {
    const host = await openSilentHost(terminal);
    if (host.unreachable !== undefined) openAgain();
    const store = storeOf(terminal, host);
    return { ...store, allowLoopback, team: { ...store.team, howToTrust } };
  } catch (error) {
    openAgain();
    throw error;
  }
}
