// The platform's host on the command line: a terminal, the system's browser, the keyring, and its own files.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { type Accounts, openAccounts } from "../../platform/accounts/accounts.ts";
import { systemUserName } from "../../platform/accounts/system-user-name.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { programEnvironment, programOnPath, THIS_MACHINE, windowsProgram } from "../../platform/files/programs.ts";
import type { PlatformHost, Prompter, SecretStore } from "../../platform/host.ts";
import { lookUp } from "../../platform/network/look-up.ts";
import { openFetch } from "./fetch.ts";
import { forwardedAddress, isForwarded } from "./forwarded-address.ts";
import { nextStepText } from "./next-steps.ts";
import { formatMessage, printable } from "./printable.ts";
import { openSecretStore } from "./secret-store.ts";
import { stateFile } from "./state-file.ts";
import { makeStorageFolder, tryStorageFolder } from "./storage-folder.ts";
import type { Terminal } from "./terminal.ts";
import { createTerminalPrompter } from "./terminal-prompter.ts";

/** How a host reaches the person. */
export interface Reach extends Pick<PlatformHost, "prompter" | "openBrowser" | "progress" | "copy"> {
  close(): void;
}

export interface CliHost extends PlatformHost {
  readonly accounts: Accounts;
  readonly behindProxy: boolean;
  /** Why secrets are unreadable. Work that needs none goes on, and each use of a secret throws this. */
  readonly unreachable?: PackAuthError;
  close(): void;
}

/** Returns how a verb reaches the person who called it. With `hasBrowser` false an address is only printed. `onAsk` comes before a question. */
export function terminalReach(terminal: Terminal, hasBrowser = true, onAsk = (): void => {}): Reach {
  const { input, pick, close } = createTerminalPrompter(terminal);
  const say = (message: string): void => terminal.errorOutput.write(formatMessage`${printable(message)}\n`);
  return {
    prompter: {
      input(options) {
        onAsk();
        return input(options);
      },
      pick(options) {
        onAsk();
        return pick(options);
      },
    },
    async openBrowser(url) {
      say(`Open this address in your browser:\n  ${forwardedAddress(url, terminal.environment)}`);
      if (hasBrowser) void openInBrowser(url, terminal);
      return true;
    },
    copy: async (text) => say(text),
    progress: say,
    close,
  };
}

/** Opens the host of a verb that a person called on a terminal. `reach` is closed with it. Throws storage-failed or invalid-parameter. */
export const openCliHost = (terminal: Terminal, reach: Reach): Promise<CliHost> =>
  openHost(terminal, reach, terminal.stdin.isTTY && terminal.stderr.isTTY ? reach.prompter : undefined);

/**
 * Opens the host of a server: its standard streams belong to another protocol, so nothing is printed or read there. Accounts of an account
 * file need no keyring.
 */
export const openSilentHost = (terminal: Terminal): Promise<CliHost> =>
  openHost(terminal, {
    prompter: { input: async () => undefined, pick: async () => undefined },
    openBrowser: async () => false,
    copy: async () => {},
    progress: () => {},
    close: () => {},
  });

/** `person` asks for what only a terminal may ask for. */
async function openHost(terminal: Terminal, { close, ...reach }: Reach, person?: Prompter): Promise<CliHost> {
  const { environment: env } = terminal;
  const folder = makeStorageFolder(terminal);
  const { fetch, behindProxy } = openFetch(env);
  let unreachable: PackAuthError | undefined;
  const secrets = await openSecretStore(folder, terminal, person).catch((error: unknown) => {
    if (error instanceof PackAuthError && error.code === "storage-failed") {
      unreachable = error;
      return unreachableStore(error);
    }
    close();
    throw error;
  });
  const host: PlatformHost = {
    secrets: {
      ...secrets,
      async assertStorable() {
        tryStorageFolder(folder);
        await secrets.assertStorable?.();
      },
    },
    globalState: stateFile(join(folder, "state.json")),
    workspaceState: stateFile(join(folder, "state.json")),
    ...reach,
    home: "terminal",
    words: nextStepText,
    ...(isForwarded(env) ? { externalAddress: async (address: string) => forwardedAddress(address, env) } : {}),
    fetch,
    ...(behindProxy ? {} : { lookUp }),
    userName: () => env.USER ?? env.USERNAME ?? systemUserName(),
    log: () => {},
    now: Date.now,
    storageFolder: folder,
  };
  return { ...host, accounts: openAccounts(host), behindProxy, ...defined({ unreachable }), close };
}

function unreachableStore(error: PackAuthError): SecretStore {
  const fail = async (): Promise<never> => {
    throw error;
  };
  return { get: fail, set: fail, delete: fail, assertStorable: fail };
}

/** Milliseconds in which the program that opens addresses reports a failure. */
const BROWSER_TIME = 3_000;

/**
 * Opens the browser. Returns false if the system has no program for that, or if the program failed. The address is passed as one argument,
 * without a shell.
 */
export function openInBrowser(url: string, { environment }: Pick<Terminal, "environment">): Promise<boolean> {
  const machine = { ...THIS_MACHINE, environment };
  const address = forwardedAddress(url, environment);
  return new Promise((resolve) => {
    try {
      const [command, ...args] = browserCommand(address, machine);
      const timer = setTimeout(resolve, BROWSER_TIME, true);
      timer.unref();
      spawn(command, args, { env: programEnvironment(machine), stdio: "ignore", detached: true })
        .on("error", () => resolve(false))
        .on("exit", (code) => resolve(code === 0))
        .unref();
    } catch {
      resolve(false);
    }
  });
}

/** Throws if the system has no program that opens addresses. */
function browserCommand(url: string, machine: typeof THIS_MACHINE): readonly [string, ...string[]] {
  if (process.platform === "darwin") return ["/usr/bin/open", url];
  if (process.platform === "win32") return [windowsProgram("rundll32.exe", machine), "url.dll,FileProtocolHandler", url];
  return [programOnPath("xdg-open", machine), url];
}
