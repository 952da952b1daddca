// Formats an account for the accounts view. Pure, so that it can be tested without an editor.
import { isUnnamed } from "../../platform/accounts/account-name.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import type { TeamAccount } from "../../platform/team/team-account.ts";
import { type AccountState, needsSignIn, stateText } from "../../protocol/account-state.ts";
import type { ScopeRow } from "../../protocol/scopes.ts";
import { ACCOUNT_FILE } from "../../spec/account-file.ts";

/** Returns the short facts beside the label, the most urgent first. `now`: milliseconds since the epoch. */
export function accountParts(account: Account, state: AccountState, now: number): readonly string[] {
  const parts = [
    needsSignIn(state) ? `${state.state}: sign in again` : undefined,
    account.scope === "system" ? "system" : undefined,
    // A narrow side bar cuts off what follows the type.
    account.sandboxOrigin === undefined ? undefined : "sandbox",
    account.type,
    account.endpoint,
    account.shared ? "every workspace" : "this workspace",
    account.expiresAt === undefined || needsSignIn(state) ? undefined : expiry(account.expiresAt, now),
  ];
  return parts.filter((part) => part !== undefined);
}

function expiry(at: number, now: number): string {
  const minutes = Math.ceil((at - now) / 60_000);
  if (minutes <= 0) return "next run renews the token";
  if (minutes < 120) return `token for ${minutes} min`;
  return minutes < 48 * 60 ? `token for ${Math.floor(minutes / 60)} h` : `token for ${Math.floor(minutes / 1440)} days`;
}

/** Returns the text beside a scope of an account. */
export const scopeParts = ({ isGranted, requestedBy }: ScopeRow): readonly string[] => [
  isGranted ? "granted" : "not granted",
  ...(requestedBy === undefined ? [] : [`requested by ${requestedBy.join(", ") || "nobody"}`]),
];

/** Returns the facts beside the label of an account of an account file. */
export const teamAccountParts = ({ scope, endpoint }: TeamAccount, state: AccountState): readonly string[] => [
  `from ${ACCOUNT_FILE}, not stored`,
  ...(scope === "system" ? ["system"] : []),
  ...(endpoint === undefined ? [] : [endpoint]),
  state.state === "ready" ? "accepted" : state.reason,
];

/** Returns the same with the references, one per line. */
export const teamAccountLines = (account: TeamAccount, state: AccountState): readonly string[] => [
  account.label,
  ...teamAccountParts(account, state),
  ...(state.state === "ready" ? [] : [state.nextStep]),
  ...Object.entries(account.inFile.secrets).map(([name, reference]) => `${name}: ${reference}`),
];

/** Returns all facts, one per line. */
export function accountLines(account: Account, state: AccountState): readonly string[] {
  const { scopesGranted, scopesRequested, expiresAt } = account;
  return [
    account.label,
    ...(state.state === "ready" ? [] : [stateText(state)]),
    ...(isUnnamed(account) ? ["The sign-in returned no name, so this is the default name"] : []),
    `Type: ${account.type}${account.scope === "system" ? ", system authentication" : ""}`,
    ...(account.sandboxOrigin === undefined ? [] : ["Sandbox account: its requests do not reach a real provider"]),
    ...(account.endpoint === undefined ? [] : [`Endpoint: ${account.endpoint}`]),
    `May be used in ${account.shared ? "every workspace" : "this workspace only"}`,
    ...(scopesGranted === undefined
      ? []
      : [`Granted: ${scopesGranted.join(", ") || "nothing"} (requested: ${scopesRequested?.join(", ") || "nothing"})`]),
    ...(expiresAt === undefined || state.state !== "ready" ? [] : [`Token valid until ${new Date(expiresAt).toLocaleString()}`]),
  ];
}
