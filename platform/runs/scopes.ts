// The scopes that a run needs: those of the sign-in, and the additional ones of a formula, a table or its edits (`extraOAuthScopes`).
import type { PackDefinition } from "../../protocol/definition.ts";
import type { RunReport } from "../../protocol/run.ts";
import { isScopeGranted } from "../../spec/providers.ts";

type Target = RunReport["target"];

/** Returns the scopes beyond the authentication's own. The scopes for edits replace those of the table. */
export function extraScopes({ formulas, syncTables }: PackDefinition, target: Target): readonly string[] {
  if (target.kind === "formula") return formulas.find(({ name }) => name === target.name)?.extraOAuthScopes ?? [];
  if (target.kind !== "syncTable" && target.kind !== "update") return [];
  const table = syncTables.find(({ name }) => name === target.name);
  return (target.kind === "update" ? table?.updateOAuthScopes : undefined) ?? table?.extraOAuthScopes ?? [];
}

/** Returns the granted scopes and the scopes that the target needs in addition, each once. */
export const scopesWith = (grantedScopes: readonly string[], definition: PackDefinition, target: Target): readonly string[] => [
  ...grantedScopes,
  ...lackingScopes(grantedScopes, definition, target),
];

/** Returns the scopes that the target needs and that the account has not granted. */
export function lackingScopes(grantedScopes: readonly string[], definition: PackDefinition, target: Target): readonly string[] {
  const needed = new Set([...(definition.userAuthentication?.scopes ?? []), ...extraScopes(definition, target)]);
  return [...needed].filter((scope) => !isScopeGranted(scope, grantedScopes));
}
