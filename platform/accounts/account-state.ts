// Decides the state of an account from its metadata and its surroundings. No other module decides it.

import { type AccountState, type AccountStateName, READY } from "../../protocol/account-state.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { PackAuthError } from "../errors.ts";
import type { Account, RefusedRenewal } from "./account-files.ts";
import { changesSince } from "./configuration-snapshot.ts";

/** What the caller knows about an account; absent members are not checked. */
export interface AccountSurroundings {
  /** The configuration that the pack runs with. */
  readonly definition?: AuthenticationDefinition;
  /** The authentication type in the source, which may be newer than `definition`. */
  readonly type?: string;
  readonly hasSandboxEnded?: boolean;
}

interface StateFacts extends AccountSurroundings {
  /** Why the secret store does not return the credentials; undefined if it does. */
  readonly sealed: { readonly reason: string; readonly hint: string } | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const SIGN_IN_AGAIN = "Sign in again.";

const RENEWAL_REASONS: Readonly<Record<RefusedRenewal, string>> = {
  refused: "the provider refused to renew the token",
  interrupted: "a refresh was interrupted, so the refresh token may be used up",
};

export const CREDENTIALS_LOST = { reason: "the secret store no longer has its credentials", hint: SIGN_IN_AGAIN };

/** Returns the state of an account. The most serious obstacle comes first. */
export function accountState(account: Account, { definition, type, hasSandboxEnded, sealed, now }: StateFacts): AccountState {
  const { endpoint, expiresAt = Number.POSITIVE_INFINITY, refused, unrenewable } = account;
  const problem = (state: Exclude<AccountStateName, "ready">, reason: string, nextStep = SIGN_IN_AGAIN): AccountState => ({
    state,
    reason,
    nextStep,
  });
  if (hasSandboxEnded) return problem("expired", "its sandbox has ended");
  const changes = definition === undefined ? undefined : changesSince(account.configuration, definition);
  if (changes !== undefined)
    return problem(
      "changed",
      `the configuration changed since the last sign-in: ${changes}; on the platform the change takes effect after the next build`,
    );
  if (type !== undefined && type !== account.type) return problem("changed", `the authentication is now ${type}`);
  if (definition?.requiresEndpointUrl === true && endpoint === undefined)
    return problem("changed", "the configuration now asks for an endpoint");
  if (sealed !== undefined) return problem("sealed", sealed.reason, sealed.hint);
  // The token may not have expired yet, but such a refusal mostly means that the access was revoked.
  if (unrenewable !== undefined && unrenewable !== true) return problem("refused", RENEWAL_REASONS[unrenewable]);
  const hasExpired = expiresAt <= now;
  if (hasExpired && unrenewable) return problem("expired", "its token has expired, and the provider gave no refresh token");
  if (refused) return problem("refused", "the API refused the credential at its last use (401)", "Sign in again with a valid credential.");
  return hasExpired ? problem("renewable", "its token has expired", "The next run renews it.") : READY;
}

/** Whether a run may try the account. A provider or API that refused a credential may accept it now, and explains a refusal best itself. */
const MAY_BE_USED: Readonly<Record<AccountStateName, boolean>> = {
  ready: true,
  renewable: true,
  expired: true,
  refused: true,
  changed: false,
  sealed: false,
  unaccepted: false,
};

export const mayBeUsed = ({ state }: AccountState): boolean => MAY_BE_USED[state];

/** Whether the secret store has credentials that it cannot read. Another sign-in does not help then. */
export const isUnreadable = (state: AccountState): boolean => state.state === "sealed" && state.nextStep !== SIGN_IN_AGAIN;

/** Returns the error for an account that cannot be used; `formatMessage` makes the message from the reason. */
export function unusable(state: AccountState, formatMessage: (reason: string) => string): PackAuthError {
  const { reason, nextStep } = state.state === "ready" ? { reason: CREDENTIALS_LOST.reason, nextStep: CREDENTIALS_LOST.hint } : state;
  return new PackAuthError(isUnreadable(state) ? "storage-failed" : "sign-in-again", formatMessage(reason), { hint: nextStep });
}
