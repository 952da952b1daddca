// Finds the formula or table that a target names, and the authentication with which its requests are sent.
import type { AuthenticationDefinition, ConnectionRequirement, PackDefinition } from "../../protocol/definition.ts";
import { isOfMcp, type McpTarget } from "../../protocol/mcp.ts";
import type { RunTarget } from "../../protocol/run.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import type { Pack } from "../process/pack.ts";
import type { ParameterizedDefinition } from "./parameters.ts";

/** Returns the authentication with which the target's requests are sent. Throws account-required or unknown-formula. */
export function authenticationInForce(
  pack: Pack,
  target: RunTarget,
  account: RunAccount | undefined,
): { authentication: AuthenticationDefinition | undefined; requirement: ConnectionRequirement } {
  const { definition } = pack;
  const own = account === undefined ? undefined : definition[`${account.scope}Authentication`];
  if (target.kind === "authentication") return { authentication: own, requirement: "required" };
  const runnable = runnableOf(pack, target);
  if (account?.scope !== "user" && needsAccount(pack, runnable.connectionRequirement)) {
    throw new PackAuthError("account-required", `${runnable.name} needs a connected account.`, {
      hint: "Connect a test account, or set connectionRequirement: ConnectionRequirement.None on it.",
    });
  }
  // A system account is used in every run of the pack. A user's account is used only by formulas and tables that require or accept one.
  return { authentication: own, requirement: account?.scope === "system" ? "required" : runnable.connectionRequirement };
}

/** Returns the formula or sync table that the target names or belongs to. Throws unknown-formula. */
export function runnableOf(
  pack: Pack,
  target: Exclude<RunTarget, { kind: "authentication" }>,
): ParameterizedDefinition & { readonly connectionRequirement: ConnectionRequirement } {
  const name = target.kind === "autocomplete" ? target.formula : target.kind === "propertyOptions" ? target.table : target.name;
  const isTable = target.kind === "autocomplete" ? target.ofSyncTable === true : target.kind !== "formula";
  const candidates = isTable ? pack.definition.syncTables : pack.definition.formulas;
  const runnable = candidates.find((candidate) => candidate.name === name);
  if (runnable !== undefined) return runnable;
  throw new PackAuthError("unknown-formula", isTable ? `The pack has no sync table ${name}.` : `The pack has no formula ${name}.`, {
    hint: `It has: ${candidates.map((candidate) => candidate.name).join(", ") || "none"}.`,
  });
}

/** Whether the target requires a user's account and the pack has a user authentication with a sign-in. */
function needsAccount(pack: Pack, requirement: ConnectionRequirement): boolean {
  return requirement === "required" && hasSignIn(pack.definition.userAuthentication?.type);
}

/** Returns the definition with the authentications that the target may use: an MCP server gets the system's account if the pack has one. */
export const definitionFor = (target: RunTarget | McpTarget, definition: PackDefinition): PackDefinition =>
  isOfMcp(target) && definition.systemAuthentication !== undefined ? withoutUser(definition) : definition;

/** Returns the definition without the user's authentication. */
export const withoutUser = ({ userAuthentication: _, ...definition }: PackDefinition): PackDefinition => definition;
