// What runs teach of an account's scopes: which of them a run needed, and whether the API let it through.
import { t } from "@vscode/l10n";
import { getOrInsert } from "../../base/get-or-insert.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import { isName } from "../../protocol/evidence.ts";
import type { RunReport } from "../../protocol/run.ts";
import type { ScopeRow, ScopeUse, ScopeUses } from "../../protocol/scopes.ts";
import { asksProvider } from "../../spec/auth-types.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import type { Account } from "../accounts/accounts.ts";
import { challengesIn } from "../requests/challenge.ts";
import { extraScopes, scopesWith } from "./scopes.ts";

/** Scopes of one account that are counted. */
const MOST_SCOPES = 200;

/** The scopes that a run with a user's OAuth2 account needed; undefined where it tells nothing. */
export function scopesNeeded(
  definition: PackDefinition,
  { target, requests }: Pick<RunReport, "target" | "requests">,
  granted: readonly string[],
): { readonly scopes: readonly string[]; readonly outcome: keyof ScopeUse } | undefined {
  const sent = requests.filter(({ credentials }) => credentials.length > 0);
  const refused = sent.findLast(({ status }) => status === 403);
  const needed = scopesWith([], definition, target);
  if (refused === undefined) {
    const isTaken = sent.some(({ status = 0 }) => status >= 200 && status < 300);
    return isTaken && needed.length > 0 ? { scopes: needed, outcome: "succeeded" } : undefined;
  }
  // RFC 6750, section 3.1: the challenge may say which scope it is; else it is what the account lacks.
  const header = refused.responseHeaders?.["www-authenticate"] ?? "";
  const named = challengesIn(header).flatMap(({ parameters }) => parameters.scope?.split(" ").filter(isName) ?? []);
  const lacked = needed.filter((scope) => !isScopeGranted(scope, granted));
  const scopes = named.length > 0 ? named : lacked;
  return scopes.length === 0 ? undefined : { scopes: [...new Set(scopes)], outcome: "refused" };
}

/** Once more for each of them. */
export function countedUses(uses: ScopeUses, { scopes, outcome }: NonNullable<ReturnType<typeof scopesNeeded>>): ScopeUses {
  const counted = new Map(Object.entries(uses));
  for (const scope of scopes) {
    const { succeeded, refused } = counted.get(scope) ?? { succeeded: 0, refused: 0 };
    const now = outcome === "succeeded" ? { succeeded: succeeded + 1, refused } : { succeeded, refused: refused + 1 };
    if (counted.has(scope) || counted.size < MOST_SCOPES) counted.set(scope, now);
  }
  return Object.fromEntries(counted);
}

/** An account's table: what its pack asks for first, in the order that it is asked for. Empty for other types than OAuth2. */
export function scopeRows(
  { scope: side, type, scopesRequested = [], scopesGranted, scopeUses = {} }: Account,
  definition?: PackDefinition,
): readonly ScopeRow[] {
  if (side !== "user" || !asksProvider(type)) return [];
  const askers = definition === undefined ? undefined : askersOf(definition);
  const granted = scopesGranted ?? scopesRequested;
  const wanted = [...(askers?.keys() ?? []), ...scopesRequested];
  // What was granted under another spelling is in the row of the scope that was asked for.
  const others = granted.filter((scope) => !isScopeGranted(scope, wanted));
  return [...new Set([...wanted, ...others, ...Object.keys(scopeUses)])].map((scope): ScopeRow => {
    const use = scopeUses[scope] ?? { succeeded: 0, refused: 0 };
    const row = { scope, ...use, granted: isScopeGranted(scope, granted), ...(askers && { askedBy: [...(askers.get(scope) ?? [])] }) };
    const remark = remarkOn(row, scopesRequested.includes(scope));
    return remark === undefined ? row : { ...row, remark };
  });
}

function remarkOn({ askedBy, granted, succeeded, refused }: Omit<ScopeRow, "remark">, wasRequested: boolean): string | undefined {
  const isAsked = askedBy === undefined ? wasRequested : askedBy.length > 0;
  if (!isAsked && refused > 0 && !granted) return t`Add it to scopes, or to extraOAuthScopes: an answer with 403 named it.`;
  if (wasRequested && !granted) return t`The provider did not grant it.`;
  if (!granted) return t`It is requested when a run needs it.`;
  if (!isAsked) return t`Nothing in the pack asks for it.`;
  return succeeded + refused === 0 ? t`No run has needed it yet.` : undefined;
}

/** Who asks for a scope: scope → the configuration, and names of formulas and tables. */
function askersOf(definition: PackDefinition): ReadonlyMap<string, ReadonlySet<string>> {
  const askers = new Map<string, Set<string>>();
  const add = (scopes: readonly string[], who: string): void => {
    for (const scope of scopes) getOrInsert(askers, scope, () => new Set()).add(who);
  };
  add(definition.userAuthentication?.scopes ?? [], t`the configuration`);
  for (const { name } of definition.formulas) add(extraScopes(definition, { kind: "formula", name }), name);
  for (const { name, updateOAuthScopes } of definition.syncTables) {
    add(extraScopes(definition, { kind: "syncTable", name }), name);
    add(updateOAuthScopes ?? [], t`${name} (edits)`);
  }
  return askers;
}
