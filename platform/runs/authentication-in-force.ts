// Which formula or table a target is, and which authentication its requests are sent with.
import type { AuthenticationDefinition, ConnectionRequirement } from "../../protocol/definition.ts";
import type { RunTarget } from "../../protocol/run.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import type { Pack } from "../process/pack.ts";
import type { ParameterizedDefinition } from "./parameters.ts";

/** Which authentication is in force. Throws account-required or unknown-formula. */
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
  // A system account serves every run of the pack; a user's only those that take one.
  return { authentication: own, requirement: account?.scope === "system" ? "required" : runnable.connectionRequirement };
}

/** The formula or sync table that a target is, or belongs to. Throws unknown-formula. */
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

/** Whether a run cannot go without a user's account: by its requirement, where the pack has user authentication at all. */
function needsAccount(pack: Pack, requirement: ConnectionRequirement): boolean {
  return requirement === "required" && hasSignIn(pack.definition.userAuthentication?.type);
}
