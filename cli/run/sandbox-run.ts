// `pack-auth run --sandbox`: a sandbox and an account in it for one run. The account signs in without a person, is kept in memory, and
// ends with the run; nothing is sent anywhere but to the sandbox.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "../../platform/accounts/accounts.ts";
import { usableAccount } from "../../platform/accounts/usable-account.ts";
import { connect } from "../../platform/connect/connect.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { removeTemporary } from "../../platform/files/remove-temporary.ts";
import type { PlatformHost, StateStore } from "../../platform/host.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { RunOptions } from "../../platform/runs/run-options.ts";
import { approve } from "../../platform/sandbox/approve.ts";
import { type Sandbox, startSandbox } from "../../platform/sandbox/launch.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { packName } from "../pack-entry.ts";
import { register, sideOf } from "../sandbox-side.ts";

export interface SandboxRun {
  /** What a run needs to go to the sandbox, and nowhere else. */
  readonly options: Pick<RunOptions, "account" | "sandboxOrigin"> & { readonly fetch: PlatformHost["fetch"] };
  stop(): void;
}

/** The sandbox that PACK_AUTH_SANDBOX names, or one of its own; `definition` has the authentications that count. Throws PackAuthError. */
export async function openSandboxRun(
  pack: Pack,
  definition: PackDefinition,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<SandboxRun> {
  const running = env.PACK_AUTH_SANDBOX;
  const sandbox = await startSandbox(running ? { url: running } : { modulePath: join(__dirname, "sandbox.cjs") });
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-sandbox-"));
  const stop = (): void => {
    if (!running) sandbox.stop();
    removeTemporary(folder);
  };
  try {
    return { options: await signIn(pack, scopeOf(definition), sandbox, memoryHost(folder, signal), signal), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

async function signIn(
  pack: Pack,
  scope: AuthScope | undefined,
  sandbox: Sandbox,
  host: PlatformHost,
  signal: AbortSignal,
): Promise<SandboxRun["options"]> {
  const registered = await register(sandbox, pack);
  const options = { fetch: host.fetch, sandboxOrigin: registered.origin };
  const side = scope && sideOf(registered, scope);
  if (scope === undefined || side === undefined) return options;
  const accounts = openAccounts(host);
  const connected = await connect(pack, { scope, packName: packName(pack.entry), host, accounts, shared: true, sandbox: side, signal });
  if (connected === undefined)
    throw new PackAuthError("sandbox-failed", "The sign-in at the sandbox was cancelled.", { hint: "Run it again." });
  return { ...options, account: await usableAccount(pack, connected.account, { accounts, host, sandbox: async () => side }) };
}

/** A user's account, where the pack takes one; undefined where it takes none at all. */
const scopeOf = (definition: PackDefinition): AuthScope | undefined =>
  (["user", "system"] as const).find((scope) => ![undefined, "None"].includes(definition[`${scope}Authentication`]?.type));

function memoryHost(storageFolder: string, signal: AbortSignal): PlatformHost {
  const secrets = new Map<string, string>();
  const state = (): StateStore => {
    const values = new Map<string, unknown>();
    return { get: (key) => values.get(key), set: async (key, value) => void values.set(key, value) };
  };
  return {
    secrets: {
      get: async (key) => secrets.get(key),
      set: async (key, value) => void secrets.set(key, value),
      delete: async (key) => void secrets.delete(key),
    },
    globalState: state(),
    workspaceState: state(),
    // The sandbox knows all that is typed; of several endpoints the first is taken, and what is offered meanwhile is put away.
    prompter: { input: async () => undefined, pick: async ({ items, progress }) => (progress === undefined ? items[0]?.value : undefined) },
    home: "terminal",
    async openBrowser(url) {
      await approve(url, signal);
      return true;
    },
    // No proxy: the sandbox is on this machine.
    fetch: (url, init) => fetch(url, init),
    userName: () => "sandbox",
    copy: async () => {},
    log: () => {},
    progress: () => {},
    now: Date.now,
    storageFolder,
  };
}
