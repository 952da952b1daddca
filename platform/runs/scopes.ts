// The scopes that a run needs: those of the sign-in, and the additional ones of a formula, a table or its edits (`extraOAuthScopes`).
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ErrorReport, Remedy, RequestTrace, RunReport } from "../../protocol/run.ts";
import { asksProvider } from "../../spec/auth-types.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import type { RunAccount } from "../accounts/run-account.ts";

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

function lackingScopes(grantedScopes: readonly string[], definition: PackDefinition, target: Target): readonly string[] {
  const needed = new Set([...(definition.userAuthentication?.scopes ?? []), ...extraScopes(definition, target)]);
  return [...needed].filter((scope) => !isScopeGranted(scope, grantedScopes));
}

/**
 * Returns the error with the remedy "Grant more access", as the platform offers it. The condition is a 403 or a MissingScopesError, and a
 * scope that the account lacks. That scope may also have been added to the configuration after the sign-in. Returns the error itself
 * otherwise.
 */
export function withAccessRemedy(
  error: ErrorReport,
  definition: PackDefinition,
  target: Target,
  requests: readonly RequestTrace[],
  account: RunAccount | undefined,
): ErrorReport {
  if (account?.id === undefined || account.scope !== "user" || !asksProvider(definition.userAuthentication?.type)) return error;
  const wasRefused =
    ["StatusCodeError", "mcp-failed"].includes(error.code) &&
    requests.findLast(({ credentials }) => credentials.length > 0)?.status === 403;
  if (error.code !== "MissingScopesError" && !wasRefused) return error;
  const grantedScopes = account.grantedScopes ?? [];
  const lacking = lackingScopes(grantedScopes, definition, target);
  if (lacking.length === 0) return error;
  const asker = target.kind === "mcpServer" || !("name" in target) ? "the pack" : target.name;
  const remedy: Remedy = { kind: "grantAccess", account: account.id, scopes: [...grantedScopes, ...lacking], label: "Grant more access" };
  return {
    ...error,
    hint: error.hint ?? `Grant more access. The account has not granted ${lacking.join(", ")}, which ${asker} asks for.`,
    remedies: [...(error.remedies ?? []), remedy],
  };
}
