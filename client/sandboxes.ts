// The single sandbox of the window: started when a pack first needs it, or an external one; its packs and their switches. The sandbox ends
// with the window. The next window restores its packs and switches.

import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { type Account, packKey } from "../platform/accounts/accounts.ts";
import { noAuthentication } from "../platform/connect/connect.ts";
import type { SandboxSignIn } from "../platform/connect/flows/flow.ts";
import { PackAuthError } from "../platform/errors.ts";
import type { Pack } from "../platform/process/pack.ts";
import { type Sandbox, startSandbox } from "../platform/sandbox/launch.ts";
import type { SwitchRequest } from "../platform/sandbox/protocol.ts";
import { type Stub, stubsFilePath } from "../platform/sandbox/stubs.ts";
import { readSwitches, type SandboxSwitches, SWITCHES_OFF } from "../platform/sandbox/switches.ts";
import type { AuthScope } from "../protocol/run.ts";
import { isOAuthType } from "../spec/auth-types.ts";
import { packName } from "./packs/pack-name.ts";

/** A pack that is registered with the sandbox. */
export interface SandboxedPack {
  readonly entry: string;
  readonly isOAuth: boolean;
  readonly hasMcpServer: boolean;
  readonly switches: SandboxSwitches;
  /** False for a pack of an earlier window, which gets its switches at the next sign-in. */
  readonly isRunning: boolean;
}

export interface Sandboxes {
  /** Starts the sandbox if necessary, and returns the pack's part of it. Throws PackAuthError. */
  signIn(pack: Pack, scope: AuthScope): Promise<SandboxSignIn>;
  /** Returns the origin that replaces every host for a pack without authentication. Starts the sandbox as `signIn` does. */
  origin(pack: Pack): Promise<string>;
  /** Returns whether the account belongs to a sandbox that has ended. */
  hasEnded(account: Account, entry: string): boolean;
  list(): readonly SandboxedPack[];
  change(request: SwitchRequest): Promise<void>;
  /** Adds answers for requests that sandbox.json does not cover. Throws PackAuthError. */
  addSamples(entry: string, samples: readonly Stub[]): Promise<void>;
  onDidChange(listener: () => void): vscode.Disposable;
  dispose(): void;
}

/** A pack, and the origin of its server while that runs. */
type PackRecord = Omit<SandboxedPack, "isRunning"> & { readonly origin?: string };

const REMEMBERED = "packAuth.sandbox.packs";

export function createSandboxes(modulePath: string, memory: vscode.Memento): Sandboxes {
  const running = process.env.PACK_AUTH_SANDBOX;
  let sandbox: Promise<Sandbox> | undefined;
  /** By pack key. */
  const packs = new Map<string, PackRecord>(remembered(memory.get(REMEMBERED)).map((pack) => [packKey(pack.entry), pack]));
  const changeEmitter = new vscode.EventEmitter<void>();
  const know = (pack: PackRecord): void => {
    packs.set(packKey(pack.entry), pack);
    void memory.update(
      REMEMBERED,
      [...packs.values()].map(({ origin: _, ...storedRecord }) => storedRecord),
    );
    changeEmitter.fire();
  };
  const stop = (): void => {
    void sandbox?.then(
      (instance) => instance.stop(),
      () => {},
    );
    sandbox = undefined;
    for (const [key, { origin: _, ...stoppedRecord }] of packs) packs.set(key, stoppedRecord);
    changeEmitter.fire();
  };
  const ensureStarted = (): Promise<Sandbox> => {
    sandbox ??= startSandbox(running ? { url: running } : { modulePath });
    return sandbox.catch((error: unknown) => {
      stop();
      throw error;
    });
  };
  /**
   * A sandbox that does not answer is restarted the next time. A sandbox that refuses (because of a wrong sandbox.json) keeps its tokens.
   */
  const stopAndRethrow = (error: unknown): never => {
    if (error instanceof PackAuthError && error.cause !== undefined) stop();
    throw error;
  };

  async function register({ definition, entry }: Pack) {
    const stubsFile = stubsFilePath(entry);
    const registered = await (await ensureStarted())
      .register({ entry, name: packName(entry), definition, stubsFile })
      .catch(stopAndRethrow);
    const { origin } = registered;
    const record = packs.get(packKey(entry));
    // The switches of an external sandbox belong to the person who started it.
    const isNew = record !== undefined && record.origin === undefined && !running;
    const switches = isNew
      ? await (await ensureStarted()).change({ entry, switches: record.switches }).catch(stopAndRethrow)
      : registered.switches;
    const isOAuth = [definition.userAuthentication, definition.systemAuthentication].some(
      (auth) => auth !== undefined && isOAuthType(auth.type),
    );
    know({ entry, origin, isOAuth, hasMcpServer: (definition.mcpServers ?? []).length > 0, switches });
    return registered;
  }

  return {
    origin: async (pack) => (await register(pack)).origin,
    async signIn(pack, scope) {
      const registered = await register(pack);
      const side = registered[scope];
      // A request for the sandbox must never continue to a real provider.
      if (side === undefined) throw noAuthentication(scope);
      return { ...side, origin: registered.origin };
    },
    hasEnded(account, entry) {
      if (account.sandboxOrigin === undefined) return false;
      const origin = packs.get(packKey(entry))?.origin;
      // The window's own sandbox lasts as long as the window. An external one is contacted at the next use.
      return origin === undefined ? !running : origin !== account.sandboxOrigin;
    },
    list: () => [...packs.values()].map(({ origin, ...pack }) => ({ ...pack, isRunning: origin !== undefined })),
    async change(request) {
      const record = packs.get(packKey(request.entry));
      // A pack without a server has no tokens that could expire.
      const isWaiting = record?.origin === undefined && !running;
      const switches =
        record !== undefined && isWaiting
          ? readSwitches(request.switches, record.switches)
          : await (await ensureStarted()).change(request).catch(stopAndRethrow);
      if (record !== undefined) know({ ...record, switches });
    },
    addSamples: async (entry, samples) => (await ensureStarted()).addSamples({ entry, samples }).catch(stopAndRethrow),
    onDidChange: (listener) => changeEmitter.event(listener),
    dispose() {
      stop();
      changeEmitter.dispose();
    },
  };
}

/** Reads the packs of an earlier window, without those that no longer exist. */
function remembered(value: unknown): readonly PackRecord[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Partial<PackRecord>[]).flatMap(({ entry, isOAuth, hasMcpServer, switches }) =>
    typeof entry === "string" && existsSync(entry)
      ? [{ entry, isOAuth: isOAuth === true, hasMcpServer: hasMcpServer === true, switches: readSwitches(switches, SWITCHES_OFF) }]
      : [],
  );
}
