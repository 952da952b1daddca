// The scopes that a run needs: those of the sign-in, and what a formula, a table or its edits need besides (`extraOAuthScopes`).
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ErrorReport, Remedy, RequestTrace, RunReport } from "../../protocol/run.ts";
import { asksProvider } from "../../spec/auth-types.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import type { RunAccount } from "../accounts/run-account.ts";

type Target = RunReport["target"];

/** Beyond the authentication's own. An edit's list stands in the place of its table's. */
export function extraScopes({ formulas, syncTables }: PackDefinition, target: Target): readonly string[] {
  if (target.kind === "formula") return formulas.find(({ name }) => name === target.name)?.extraOAuthScopes ?? [];
  if (target.kind !== "syncTable" && target.kind !== "update") return [];
  const table = syncTables.find(({ name }) => name === target.name);
  return (target.kind === "update" ? table?.updateOAuthScopes : undefined) ?? table?.extraOAuthScopes ?? [];
}

/** Those that the account has, and those that the target needs besides, each once. */
export const scopesWith = (grantedScopes: readonly string[], definition: PackDefinition, target: Target): readonly string[] => [
  ...grantedScopes,
  ...lackingScopes(grantedScopes, definition, target),
];

function lackingScopes(grantedScopes: readonly string[], definition: PackDefinition, target: Target): readonly string[] {
  const needed = new Set([...(definition.userAuthentication?.scopes ?? []), ...extraScopes(definition, target)]);
  return [...needed].filter((scope) => !isScopeGranted(scope, grantedScopes));
}

/**
 * Returns the error with the remedy "Grant more access", as the platform offers it, if a run ended with a 403 or a MissingScopesError and
 * its account lacks a scope that is relevant now, also one that was added to the sign-in since. Returns the error itself otherwise.
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
