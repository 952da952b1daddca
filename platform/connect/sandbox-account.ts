// An account of the sandbox for as long as something runs: it signs in without a person, is kept in memory, and nothing is sent anywhere
// but to the sandbox.

import { defined } from "../../base/defined.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import { openAccounts } from "../accounts/accounts.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import type { PlatformHost, StateStore } from "../host.ts";
import type { Pack } from "../process/pack.ts";
import type { RunOptions } from "../runs/run-options.ts";
import { approve } from "../sandbox/approve.ts";
import type { RegisterResponse } from "../sandbox/protocol.ts";
import { connect } from "./connect.ts";
import { usableAccount } from "./usable-account.ts";

/** What a run needs to go to the sandbox, and nowhere else. */
export interface AtSandbox extends Pick<RunOptions, "sandboxOrigin"> {
  readonly fetch: PlatformHost["fetch"];
  readonly account?: RunAccount;
}

/** `definition` has the authentications that count; `folder` is nobody else's. Throws PackAuthError. */
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
    /** In place of the configuration's. */
    readonly scopes?: readonly string[];
  },
): Promise<AtSandbox> {
  const host = memoryHost(folder, signal);
  const options = { fetch: host.fetch, sandboxOrigin: registered.origin };
  const scope = scopeOf(definition);
  const credentials = scope && registered[scope];
  if (scope === undefined || credentials === undefined) return options;
  const side = { ...credentials, origin: registered.origin };
  const accounts = openAccounts(host);
  const connected = await connect(pack, { scope, packName, host, accounts, shared: true, sandbox: side, signal, ...defined({ scopes }) });
  if (connected === undefined)
    throw new PackAuthError("sandbox-failed", "The sign-in at the sandbox was cancelled.", { hint: "Run it again." });
  return { ...options, account: await usableAccount(pack, connected.account, { accounts, host, sandbox: async () => side }) };
}

/** A user's account, where the pack takes one; undefined where it takes none at all. */
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
