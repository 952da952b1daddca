// The rows of an account's table of scopes: which part of the pack requests each scope, and whether it is granted.
import { getOrInsert } from "../../base/get-or-insert.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ScopeRow } from "../../protocol/scopes.ts";
import { asksProvider } from "../../spec/auth-types.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import type { Account } from "../accounts/accounts.ts";
import { extraScopes } from "./scopes.ts";

/**
 * Returns the rows of an account. The scopes that its pack requests come first, in their order. Returns no rows for types other than
 * OAuth2.
 */
export function scopeRows(
  { scope: side, type, scopesRequested = [], scopesGranted }: Account,
  definition?: PackDefinition,
): readonly ScopeRow[] {
  if (side !== "user" || !asksProvider(type)) return [];
  const askers = definition === undefined ? undefined : askersOf(definition);
  const grantedScopes = scopesGranted ?? scopesRequested;
  const neededScopes = [...(askers?.keys() ?? []), ...scopesRequested];
  // A scope that was granted under another spelling is in the row of the requested scope.
  const otherScopes = grantedScopes.filter((scope) => !isScopeGranted(scope, neededScopes));
  return [...new Set([...neededScopes, ...otherScopes])].map((scope): ScopeRow => {
    const row = { scope, isGranted: isScopeGranted(scope, grantedScopes), ...(askers && { requestedBy: [...(askers.get(scope) ?? [])] }) };
    const remark = remarkOn(row, scopesRequested.includes(scope));
    return remark === undefined ? row : { ...row, remark };
  });
}

function remarkOn({ requestedBy, isGranted }: Omit<ScopeRow, "remark">, wasRequested: boolean): string | undefined {
  const isNeeded = requestedBy === undefined ? wasRequested : requestedBy.length > 0;
  if (!isGranted) return wasRequested ? "The provider did not grant it." : "It is requested when a run needs it.";
  return isNeeded ? undefined : "Nothing in the pack asks for it.";
}

/** Returns what requests each scope: the configuration, or the names of formulas and tables. */
function askersOf(definition: PackDefinition): ReadonlyMap<string, ReadonlySet<string>> {
  const askers = new Map<string, Set<string>>();
  const add = (scopes: readonly string[], who: string): void => {
    for (const scope of scopes) getOrInsert(askers, scope, () => new Set()).add(who);
  };
  add(definition.userAuthentication?.scopes ?? [], "the configuration");
  for (const { name } of definition.formulas) add(extraScopes(definition, { kind: "formula", name }), name);
  for (const { name, updateOAuthScopes } of definition.syncTables) {
    add(extraScopes(definition, { kind: "syncTable", name }), name);
    add(updateOAuthScopes ?? [], `${name} (edits)`);
  }
  return askers;
}
