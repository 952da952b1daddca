// The scopes of an account, as its table shows them: who in the pack requests each, and whether it is granted.
import { t } from "@vscode/l10n";
import { getOrInsert } from "../../base/get-or-insert.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ScopeRow } from "../../protocol/scopes.ts";
import { asksProvider } from "../../spec/auth-types.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import type { Account } from "../accounts/accounts.ts";
import { extraScopes } from "./scopes.ts";

/** An account's table: what its pack asks for first, in the order that it is asked for. Empty for other types than OAuth2. */
export function scopeRows(
  { scope: side, type, scopesRequested = [], scopesGranted }: Account,
  definition?: PackDefinition,
): readonly ScopeRow[] {
  if (side !== "user" || !asksProvider(type)) return [];
  const askers = definition === undefined ? undefined : askersOf(definition);
  const granted = scopesGranted ?? scopesRequested;
  const wanted = [...(askers?.keys() ?? []), ...scopesRequested];
  // What was granted under another spelling is in the row of the scope that was asked for.
  const others = granted.filter((scope) => !isScopeGranted(scope, wanted));
  return [...new Set([...wanted, ...others])].map((scope): ScopeRow => {
    const row = { scope, granted: isScopeGranted(scope, granted), ...(askers && { askedBy: [...(askers.get(scope) ?? [])] }) };
    const remark = remarkOn(row, scopesRequested.includes(scope));
    return remark === undefined ? row : { ...row, remark };
  });
}

function remarkOn({ askedBy, granted }: Omit<ScopeRow, "remark">, wasRequested: boolean): string | undefined {
  const isAsked = askedBy === undefined ? wasRequested : askedBy.length > 0;
  if (!granted) return wasRequested ? t`The provider did not grant it.` : t`It is requested when a run needs it.`;
  return isAsked ? undefined : t`Nothing in the pack asks for it.`;
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
