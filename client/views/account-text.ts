// What the accounts view tells of an account. Pure, so that it can be tested without an editor.
import { t } from "@vscode/l10n";
import { isUnnamed } from "../../platform/accounts/account-name.ts";
import type { Account, AccountState } from "../../platform/accounts/accounts.ts";
import { type ScopeRow, useText } from "../../protocol/scopes.ts";

/** The short facts beside the label, the most pressing first. `now`: milliseconds since the epoch. */
export function accountParts(account: Account, state: AccountState, now: number): readonly string[] {
  const parts = [
    pressing(account, state),
    account.scope === "system" ? t`system` : undefined,
    account.type,
    account.sandboxOrigin === undefined ? undefined : t`sandbox`,
    account.endpoint,
    account.shared ? t`every workspace` : t`this workspace`,
    account.expiresAt === undefined || state.state !== "ready" || account.unrenewable === "refused"
      ? undefined
      : expiry(account.expiresAt, now, account.unrenewable === true),
  ];
  return parts.filter((part) => part !== undefined);
}

function pressing({ refused, unrenewable }: Account, { state }: AccountState): string | undefined {
  if (state !== "ready") return t`sign in again`;
  if (refused) return t`refused at its last use`;
  return unrenewable === "refused" ? t`renewal refused: sign in again` : undefined;
}

/** A token that ran out is renewed by the next run, where the provider gave a refresh token: then it is no reason to sign in again. */
function expiry(at: number, now: number, isLast = false): string {
  const minutes = Math.ceil((at - now) / 60_000);
  if (minutes <= 0) return isLast ? t`token expired: sign in again` : t`next run renews the token`;
  if (minutes < 120) return t`token for ${minutes} min`;
  return minutes < 48 * 60 ? t`token for ${Math.floor(minutes / 60)} h` : t`token for ${Math.floor(minutes / 1440)} days`;
}

/** Beside a scope of an account. */
export const scopeParts = ({ granted, askedBy, ...use }: ScopeRow): readonly string[] => [
  granted ? t`granted` : t`not granted`,
  t`used: ${useText(use)}`,
  ...(askedBy === undefined ? [] : [t`requested by ${askedBy.join(", ") || t`nobody`}`]),
];

/** All of it, a line each. */
export function accountLines(account: Account, state: AccountState): readonly string[] {
  const { scopesGranted, scopesRequested, expiresAt } = account;
  return [
    account.label,
    ...(isUnnamed(account) ? [t`The sign-in returned no name, so this is the default name`] : []),
    ...(state.state === "ready" ? [] : [t`Sign in again: ${state.reason}.`]),
    ...(account.unrenewable === "refused" ? [t`Sign in again: the provider refused to renew the token.`] : []),
    ...(account.refused ? [t`The API refused the credential at its last use (401)`] : []),
    t`Type: ${account.type}${account.scope === "system" ? t`, system authentication` : ""}`,
    ...(account.sandboxOrigin === undefined ? [] : [t`Sandbox account: its requests do not reach a real provider`]),
    ...(account.endpoint === undefined ? [] : [t`Endpoint: ${account.endpoint}`]),
    t`May be used in ${account.shared ? t`every workspace` : t`this workspace only`}`,
    ...(scopesGranted === undefined
      ? []
      : [t`Granted: ${scopesGranted.join(", ") || t`nothing`} (requested: ${scopesRequested?.join(", ") || t`nothing`})`]),
    ...(expiresAt === undefined ? [] : [t`Token valid until ${new Date(expiresAt).toLocaleString()}`]),
  ];
}
