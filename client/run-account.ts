// An account made ready for a run: its credential out of the secret store, renewed where it is about to expire.
import type { Account } from "../platform/accounts.ts";
import { PackAuthError } from "../platform/errors.ts";
import { isExpired, refreshAccount } from "../platform/oauth/refresh.ts";
import type { Pack } from "../platform/pack.ts";
import type { RunAccount } from "../platform/run.ts";
import type { Services } from "./services.ts";

/** Throws sign-in-again where the account cannot be used. */
export async function runAccount(services: Services, pack: Pack, account: Account): Promise<RunAccount> {
  const definition = account.scope === "system" ? pack.definition.systemAuthentication : pack.definition.userAuthentication;
  const state = await services.accounts.stateOf(account, definition);
  const stored = await services.accounts.credential(account.id);
  if (state.state !== "ready" || stored === undefined || definition === undefined) {
    throw new PackAuthError(
      "sign-in-again",
      `The account ${account.label} cannot be used: ${state.state === "ready" ? "its credentials are gone" : state.reason}.`,
      { hint: "Sign in again." },
    );
  }
  const host = services.host();
  const sandbox = account.sandboxOrigin === undefined ? undefined : await services.packs.sandbox(pack, account.scope);
  if (sandbox?.origin !== account.sandboxOrigin) {
    throw new PackAuthError("sign-in-again", `The sandbox that ${account.label} belongs to is gone.`, {
      hint: "Sign in again with the sandbox.",
    });
  }
  const renew = (stale: typeof stored) =>
    stale.kind !== "oauth2"
      ? Promise.resolve(undefined)
      : refreshAccount(account, definition, stale, {
          accounts: services.accounts,
          fetch: host.fetch,
          now: host.now,
          storageFolder: host.storageFolder,
          ...(sandbox === undefined ? {} : { sandboxClient: sandbox.clientCredentials }),
        });
  const credential = stored.kind === "oauth2" && isExpired(stored, host.now()) ? ((await renew(stored)) ?? stored) : stored;
  return {
    scope: account.scope,
    credential,
    refresh: () => renew(credential),
    ...(account.endpoint === undefined ? {} : { endpoint: account.endpoint }),
    ...(account.sandboxOrigin === undefined ? {} : { sandboxOrigin: account.sandboxOrigin }),
  };
}
