// Creates an account of the sandbox for the duration of a run. It signs in without a person, stays in memory, and sends requests only to
// the sandbox.

import { defined } from "../../base/defined.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import { openAccounts } from "../accounts/accounts.ts";
import { PackAuthError } from "../errors.ts";
import type { PlatformHost, StateStore } from "../host.ts";
import type { Pack } from "../process/pack.ts";
import { type RunWorld, worldOf } from "../runs/run-world.ts";
import { approve } from "../sandbox/approve.ts";
import type { RegisterResponse } from "../sandbox/protocol.ts";
import { connect } from "./connect.ts";
import { usableAccount } from "./usable-account.ts";

/**
 * Returns a world that sends every request to the sandbox, with an account there. `definition` has the effective authentications; no other run uses `folder`. Throws
 * PackAuthError.
 */
export async function sandboxAccount(
  pack: Pack,
  definition: PackDefinition,
  registered: RegisterResponse,
  {
    folder,
    packName,
    signal,
    scopes,
  }: {
    readonly folder: string;
    readonly packName: string;
    readonly signal: AbortSignal;
    /** Scopes to request instead of the configuration's. */
    readonly scopes?: readonly string[];
  },
): Promise<RunWorld> {
  const host = memoryHost(folder, signal);
  const world = worldOf(pack, host.fetch, { sandboxOrigin: registered.origin, signal });
  const scope = scopeOf(definition);
  const credentials = scope && registered[scope];
  if (scope === undefined || credentials === undefined) return world;
  const side = { ...credentials, origin: registered.origin };
  const accounts = openAccounts(host);
  const connected = await connect(pack, { scope, packName, host, accounts, shared: true, sandbox: side, signal, ...defined({ scopes }) });
  if (connected === undefined)
    throw new PackAuthError("sandbox-failed", "The sign-in at the sandbox was cancelled.", { hint: "Run it again." });
  return { ...world, account: await usableAccount(pack, connected.account, { accounts, host, sandbox: async () => side }) };
}

/** Returns `user` if the pack has user authentication, else `system`, or undefined if it has neither. */
const scopeOf = (definition: PackDefinition): AuthScope | undefined =>
  (["user", "system"] as const).find((scope) => hasSignIn(definition[`${scope}Authentication`]?.type));

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
    // The sandbox needs no typed values. The first of several endpoints is chosen, and menus that only show progress are closed.
    prompter: { input: async () => undefined, pick: async ({ items, progress }) => (progress === undefined ? items[0]?.value : undefined) },
    home: "terminal",
    words: () => "",
    async openBrowser(url) {
      await approve(url, signal);
      return true;
    },
    // The request bypasses any proxy, because the sandbox is on this machine.
    fetch: (url, init) => fetch(url, init),
    userName: () => "sandbox",
    copy: async () => {},
    log: () => {},
    progress: () => {},
    now: Date.now,
    storageFolder,
  };
}
