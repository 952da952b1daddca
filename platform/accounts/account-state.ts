// The state of an account: the one place that decides it, from what is stored and from what its surroundings say of it.

import { type AccountState, type AccountStateName, READY } from "../../protocol/account-state.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { PackAuthError } from "../errors.ts";
import type { Sealed } from "../host.ts";
import type { Account, RefusedRenewal } from "./account-files.ts";
import { changesSince } from "./configuration-snapshot.ts";

/** What the surroundings know of an account; what is absent is not looked at. */
export interface AccountSurroundings {
  /** The configuration as it runs. */
  readonly definition?: AuthenticationDefinition;
  /** The authentication type that the source names, which may be newer than `definition`. */
  readonly type?: string;
  readonly hasSandboxEnded?: boolean;
}

interface StateFacts extends AccountSurroundings {
  /** Why the secret store does not give the credentials; undefined where it does. */
  readonly sealed: Sealed | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const SIGN_IN_AGAIN = "Sign in again.";

const RENEWAL_REASONS: Readonly<Record<RefusedRenewal, string>> = {
  refused: "the provider refused to renew the token",
  interrupted: "a refresh was interrupted, so the refresh token may be used up",
};

export const CREDENTIALS_LOST: Sealed = { reason: "the secret store no longer has its credentials", hint: SIGN_IN_AGAIN };

/** The state that bars most from using the account comes first. */
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
  // The token may have time left, but such a refusal mostly means that the access was revoked.
  if (unrenewable !== undefined && unrenewable !== true) return problem("refused", RENEWAL_REASONS[unrenewable]);
  const hasExpired = expiresAt <= now;
  if (hasExpired && unrenewable) return problem("expired", "its token has expired, and the provider gave no refresh token");
  if (refused) return problem("refused", "the API refused the credential at its last use (401)", "Sign in again with a valid credential.");
  return hasExpired ? problem("renewable", "its token has expired", "The next run renews it.") : READY;
}

/** Whether a run may try it: whoever refused a credential may accept it by now, and says best why not. */
const MAY_BE_USED: Readonly<Record<AccountStateName, boolean>> = {
  ready: true,
  renewable: true,
  expired: true,
  refused: true,
  changed: false,
  sealed: false,
};

export const mayBeUsed = ({ state }: AccountState): boolean => MAY_BE_USED[state];

/** Why an account cannot be used; `formatMessage` says so with the reason. */
export function unusable(state: AccountState, formatMessage: (reason: string) => string): PackAuthError {
  const { reason, nextStep } = state.state === "ready" ? { reason: CREDENTIALS_LOST.reason, nextStep: CREDENTIALS_LOST.hint } : state;
  return new PackAuthError("sign-in-again", formatMessage(reason), { hint: nextStep });
}
