// The window's one sandbox: started when a pack first asks for it, or one that runs beside the editor; its packs and their switches.
import * as vscode from "vscode";
import { type Account, packKey } from "../platform/accounts.ts";
import { PackAuthError } from "../platform/errors.ts";
import type { SandboxSignIn } from "../platform/flows/flow.ts";
import type { Pack } from "../platform/pack.ts";
import { answersFileOf } from "../platform/sandbox/answers.ts";
import { type Sandbox, startSandbox } from "../platform/sandbox/launch.ts";
import type { SwitchRequest } from "../platform/sandbox/protocol.ts";
import type { SandboxSwitches } from "../platform/sandbox/switches.ts";
import type { AuthScope } from "../protocol/run.ts";
import { packName } from "./pack-name.ts";

/** A pack that was registered with the sandbox. */
export interface SandboxedPack {
  readonly entry: string;
  readonly isOAuth: boolean;
  readonly switches: SandboxSwitches;
}

export interface Sandboxes {
  /** Starts the sandbox where it is not running, and gives what the pack has in it. Throws PackAuthError. */
  signIn(pack: Pack, scope: AuthScope): Promise<SandboxSignIn>;
  /** True where the account belongs to a sandbox that has ended. */
  hasEnded(account: Account, entry: string): boolean;
  list(): readonly SandboxedPack[];
  change(request: SwitchRequest): Promise<void>;
  onDidChange(listener: () => void): vscode.Disposable;
  dispose(): void;
}

export function createSandboxes(modulePath: string): Sandboxes {
  const running = process.env.PACK_AUTH_SANDBOX;
  let sandbox: Promise<Sandbox> | undefined;
  /** Pack key → its own server in the sandbox. */
  const packs = new Map<string, SandboxedPack & { readonly origin: string }>();
  const changed = new vscode.EventEmitter<void>();
  const stop = (): void => {
    void sandbox?.then(
      (started) => started.stop(),
      () => {},
    );
    sandbox = undefined;
    packs.clear();
    changed.fire();
  };
  const started = (): Promise<Sandbox> => {
    sandbox ??= startSandbox(running ? { url: running } : { modulePath });
    return sandbox.catch((error: unknown) => {
      stop();
      throw error;
    });
  };
  /** One that does not answer is started anew the next time; one that refuses (a bad sandbox.json) keeps its tokens. */
  const lost = (error: unknown): never => {
    if (error instanceof PackAuthError && error.cause !== undefined) stop();
    throw error;
  };

  return {
    async signIn(pack, scope) {
      const { definition, entry } = pack;
      const answersFile = answersFileOf(entry);
      const registered = await (await started()).register({ entry, name: packName(entry), definition, answersFile }).catch(lost);
      const { origin, browserOrigin, switches } = registered;
      const isOAuth = [definition.userAuthentication, definition.systemAuthentication].some((auth) => auth?.type.startsWith("OAuth2"));
      packs.set(packKey(entry), { entry, origin, isOAuth, switches });
      changed.fire();
      const side = registered[scope];
      // Never on to a real provider where the sandbox was asked for.
      if (side === undefined)
        throw new PackAuthError("configuration-invalid", `The pack has no ${scope} authentication for the sandbox to stand in for.`, {
          hint: `Call pack.set${scope === "system" ? "System" : "User"}Authentication({…}) first.`,
        });
      return { ...side, origin, browserOrigin };
    },
    hasEnded(account, entry) {
      if (account.sandboxOrigin === undefined) return false;
      const origin = packs.get(packKey(entry))?.origin;
      // A sandbox of its own lasts as long as the window; one that runs beside it is asked at the next use.
      return origin === undefined ? !running : origin !== account.sandboxOrigin;
    },
    list: () => [...packs.values()],
    async change(request) {
      const switches = await (await started()).change(request).catch(lost);
      const known = packs.get(packKey(request.entry));
      if (known !== undefined) packs.set(packKey(request.entry), { ...known, switches });
      changed.fire();
    },
    onDidChange: (listener) => changed.event(listener),
    dispose() {
      stop();
      changed.dispose();
    },
  };
}
