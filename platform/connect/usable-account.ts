// Prepares a stored account for a run: reads its credential from the secret store, and refreshes it if it is about to expire.

import { defined } from "../../base/defined.ts";
import { quoteName } from "../../base/quote.ts";
import { mayBeUsed, unusable } from "../accounts/account-state.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import type { PlatformHost } from "../host.ts";
import { isExpired, refreshAccount } from "../oauth/refresh.ts";
import type { Pack } from "../process/pack.ts";
import type { SandboxSignIn } from "./flows/flow.ts";

interface UsableAccountHost {
  readonly accounts: Accounts;
  readonly host: Pick<PlatformHost, "fetch" | "lookUp" | "now" | "storageFolder">;
  /** Returns the pack's credentials in the running sandbox; called for a sandbox account only. */
  sandbox(): Promise<SandboxSignIn>;
  /** Resolves if the token of a real account may be refreshed. Throws PackAuthError otherwise. Absent if a person started the run. */
  readonly permitRefresh?: () => Promise<void>;
}

/** The sandbox of a host that uses real accounts only. Throws sign-in-again. */
export async function noSandboxSignIn(): Promise<never> {
  throw new PackAuthError("sign-in-again", "An account of the sandbox is for runs of a person only.");
}

/** Returns the account for a run. Throws sign-in-again if the account cannot be used. */
export async function usableAccount(
  pack: Pack,
  account: Account,
  { accounts, host, sandbox, permitRefresh }: UsableAccountHost,
): Promise<RunAccount> {
  const definition = pack.definition[`${account.scope}Authentication`];
  // The calls run in parallel, because each asks another process and none depends on the others.
  const sandboxSignIn = account.sandboxOrigin === undefined ? undefined : sandbox();
  sandboxSignIn?.catch(() => {});
  const [state, stored] = await Promise.all([accounts.stateOf(account, defined({ definition })), accounts.secret(account.id)]);
  if (!mayBeUsed(state) || stored === undefined || definition === undefined)
    throw unusable(state, (reason) => `The account ${quoteName(account.label)} cannot be used: ${reason}.`);
  const side = await sandboxSignIn;
  if (side?.origin !== account.sandboxOrigin) {
    throw new PackAuthError("sign-in-again", `The sandbox that ${quoteName(account.label)} belongs to is gone.`, {
      nextStep: { do: "signInAgain", sandbox: true },
    });
  }
  let now = stored;
  /** Returns whether there is a new credential. */
  const renew = async (): Promise<boolean> => {
    const { credential } = now;
    if (credential.kind !== "oauth2") return false;
    if (account.sandboxOrigin === undefined) await permitRefresh?.();
    const sandboxClient = side?.clientCredentials;
    const fresh = await refreshAccount(account, definition, credential, { ...host, accounts, ...defined({ sandboxClient }) });
    if (fresh === undefined) return false;
    // The whole record is read, so that its parts match: another window may have signed in again.
    now = (await accounts.secret(account.id)) ?? { ...now, credential: fresh };
    return true;
  };
  const renewedEarly = now.credential.kind === "oauth2" && isExpired(now.credential, host.now()) && (await renew());
  let renewal: Promise<boolean> | undefined;
  return {
    scope: account.scope,
    id: account.id,
    renewedEarly,
    // RFC 6749, section 5.1: a response without a scope granted the requested scopes.
    ...defined({ grantedScopes: account.scopesGranted ?? account.scopesRequested }),
    async judged(isRefused) {
      // The sandbox refuses credentials on purpose.
      if (account.sandboxOrigin !== undefined || isRefused === (account.refused ?? false)) return;
      // If somebody has signed in again in the meantime, the credential is another one.
      if ((await accounts.secret(account.id))?.signIn === now.signIn) await accounts.update(account.id, { refused: isRefused });
    },
    get credential() {
      return now.credential;
    },
    get signIn() {
      return now.signIn ?? account.id;
    },
    async otherSecrets() {
      const client = side?.clientCredentials ?? (await accounts.clientCredentials(account.pack, account.scope));
      return client?.clientSecret === undefined ? [] : [client.clientSecret];
    },
    async refresh(refusedCredential) {
      if (refusedCredential !== now.credential) return { credential: now.credential, isNew: false };
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return (await renewal) ? { credential: now.credential, isNew: true } : undefined;
    },
    ...defined({ clientMethod: account.clientMethod, endpoint: account.endpoint, sandboxOrigin: account.sandboxOrigin }),
  };
}
