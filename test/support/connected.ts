// A pack with an account in the sandbox, signed in as in the editor, and a function that runs its formulas.
import assert from "node:assert/strict";
import { basename, dirname } from "node:path";
import { openAccounts } from "../../platform/accounts/accounts.ts";
import { connect } from "../../platform/connect/connect.ts";
import type { Sandbox } from "../../platform/sandbox/launch.ts";
import { pack, register } from "./open-packs.ts";
import { makeHost, type TestHostOptions } from "./platform-host.ts";
import { run } from "./run.ts";

export interface ConnectedOptions extends TestHostOptions {
  /** Replaces the sandbox.json beside the pack. */
  readonly stubsFile?: string;
}

export async function connected(sandbox: Pick<Sandbox, "register" | "addAddresses">, entry: string, options: ConnectedOptions = {}) {
  const openedPack = await pack(entry);
  const registered = await register(sandbox, openedPack, options.stubsFile);
  const host = makeHost({ ...options, replies: { ...options.replies } });
  const accounts = openAccounts(host);
  const sandboxSide = { origin: registered.origin, ...registered.user };
  if (sandboxSide.clientCredentials === undefined) throw new Error("the sandbox made no credentials");
  const result = await connect(openedPack, {
    scope: "user",
    packName: basename(dirname(entry)),
    host,
    accounts,
    sandbox: {
      ...sandboxSide,
      clientCredentials: sandboxSide.clientCredentials,
      addAddresses: (addresses) => sandbox.addAddresses({ entry, addresses }),
    },
  });
  assert.ok(result, "the sign-in was cancelled");
  const credential = await accounts.credential(result.account.id);
  assert.ok(credential);
  const account = {
    scope: "user" as const,
    credential,
    sandboxOrigin: registered.origin,
    ...(result.account.endpoint === undefined ? {} : { endpoint: result.account.endpoint }),
  };
  const call = (formula: string, ...parameters: unknown[]) =>
    run(openedPack, { kind: "formula", name: formula }, parameters, { fetch, account });
  return {
    openedPack: openedPack,
    host,
    accounts,
    savedAccount: result.account,
    connection: result,
    signInNotes: result.signInNotes,
    account,
    call,
  };
}
