// The single sandbox of the window: started when a pack first needs it, or an external one; its packs and their switches. The sandbox ends
// with the window. The next window restores its packs and switches.

import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import { noAuthentication } from "../../platform/connect/choose-flow.ts";
import type { SandboxSignIn } from "../../platform/connect/flows/flow.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { type Sandbox, startSandbox } from "../../platform/sandbox/launch.ts";
import type { RegisterResponse, SwitchRequest } from "../../platform/sandbox/protocol.ts";
import { registerPack } from "../../platform/sandbox/register-pack.ts";
import type { Stub } from "../../platform/sandbox/stubs.ts";
import { readSwitches, type SandboxSwitches, SWITCHES_OFF } from "../../platform/sandbox/switches.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { isOAuthType } from "../../spec/auth-types.ts";

/** A pack that is registered with the sandbox. */
export interface SandboxedPack {
  readonly entry: string;
  readonly isOAuth: boolean;
  readonly hasMcpServer: boolean;
  readonly switches: SandboxSwitches;
  /** False for a pack of an earlier window, which gets its switches at the next sign-in. */
  readonly isRunning: boolean;
}

/** A pack, and the origin of its server while that runs. */
type PackRecord = Omit<SandboxedPack, "isRunning"> & { readonly origin?: string };

const REMEMBERED = "packAuth.sandbox.packs";

export class Sandboxes {
  /** The URL of an external sandbox. */
  readonly #external = process.env.PACK_AUTH_SANDBOX;
  readonly #modulePath: string;
  readonly #memory: vscode.Memento;
  /** By pack key. */
  readonly #packs: Map<string, PackRecord>;
  readonly #changeEmitter = new vscode.EventEmitter<void>();
  #sandbox: Promise<Sandbox> | undefined;

  constructor(modulePath: string, memory: vscode.Memento) {
    this.#modulePath = modulePath;
    this.#memory = memory;
    this.#packs = new Map(remembered(memory.get(REMEMBERED)).map((pack) => [packKey(pack.entry), pack]));
  }

  /** Starts the sandbox if necessary, and returns the pack's part of it. Throws PackAuthError. */
  async signIn(pack: Pack, scope: AuthScope): Promise<SandboxSignIn> {
    const registered = await this.#register(pack);
    const side = registered[scope];
    // A request for the sandbox must never continue to a real provider.
    if (side === undefined) throw noAuthentication(scope);
    const addAddresses = (addresses: readonly string[]): Promise<void> =>
      this.#request((sandbox) => sandbox.addAddresses({ entry: pack.entry, addresses }));
    return { ...side, origin: registered.origin, addAddresses };
  }

  /** Returns the origin that replaces every host for a pack without authentication. Starts the sandbox as `signIn` does. */
  async origin(pack: Pack): Promise<string> {
    return (await this.#register(pack)).origin;
  }

  /** Returns whether the account belongs to a sandbox that has ended. */
  hasEnded(account: Account, entry: string): boolean {
    if (account.sandboxOrigin === undefined) return false;
    const origin = this.#packs.get(packKey(entry))?.origin;
    // The window's own sandbox lasts as long as the window. An external one is contacted at the next use.
    return origin === undefined ? !this.#external : origin !== account.sandboxOrigin;
  }

  list(): readonly SandboxedPack[] {
    return [...this.#packs.values()].map(({ origin, ...pack }) => ({ ...pack, isRunning: origin !== undefined }));
  }

  async change(request: SwitchRequest): Promise<void> {
    const record = this.#packs.get(packKey(request.entry));
    // A pack without a server has no tokens that could expire.
    const isWaiting = record?.origin === undefined && !this.#external;
    const switches =
      record !== undefined && isWaiting
        ? readSwitches(request.switches, record.switches)
        : await this.#request((sandbox) => sandbox.change(request));
    if (record !== undefined) this.#remember({ ...record, switches });
  }

  /** Adds answers for requests that sandbox.json does not cover. Throws PackAuthError. */
  addSamples(entry: string, samples: readonly Stub[]): Promise<void> {
    return this.#request((sandbox) => sandbox.addSamples({ entry, samples }));
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return this.#changeEmitter.event(listener);
  }

  dispose(): void {
    this.#stop();
    this.#changeEmitter.dispose();
  }

  async #register({ definition, entry }: Pack): Promise<RegisterResponse> {
    const registered = await this.#request((sandbox) => registerPack(sandbox, { entry, definition }));
    const { origin } = registered;
    const record = this.#packs.get(packKey(entry));
    // The switches of an external sandbox belong to the person who started it.
    const isNew = record !== undefined && record.origin === undefined && !this.#external;
    const switches = isNew ? await this.#request((sandbox) => sandbox.change({ entry, switches: record.switches })) : registered.switches;
    const isOAuth = [definition.userAuthentication, definition.systemAuthentication].some(
      (auth) => auth !== undefined && isOAuthType(auth.type),
    );
    this.#remember({ entry, origin, isOAuth, hasMcpServer: (definition.mcpServers ?? []).length > 0, switches });
    return registered;
  }

  /**
   * Starts the sandbox if necessary. A sandbox that does not answer is restarted the next time. A sandbox that refuses (because of a wrong
   * sandbox.json) keeps its tokens.
   */
  async #request<T>(send: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    this.#sandbox ??= startSandbox(this.#external ? { url: this.#external } : { modulePath: this.#modulePath });
    const sandbox = await this.#sandbox.catch((error: unknown) => {
      this.#stop();
      throw error;
    });
    return send(sandbox).catch((error: unknown) => {
      if (error instanceof PackAuthError && error.cause !== undefined) this.#stop();
      throw error;
    });
  }

  #remember(pack: PackRecord): void {
    this.#packs.set(packKey(pack.entry), pack);
    void this.#memory.update(
      REMEMBERED,
      [...this.#packs.values()].map(({ origin: _, ...storedRecord }) => storedRecord),
    );
    this.#changeEmitter.fire();
  }

  #stop(): void {
    void this.#sandbox?.then(
      (instance) => instance.stop(),
      () => {},
    );
    this.#sandbox = undefined;
    for (const [key, { origin: _, ...stoppedRecord }] of this.#packs) this.#packs.set(key, stoppedRecord);
    this.#changeEmitter.fire();
  }
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
