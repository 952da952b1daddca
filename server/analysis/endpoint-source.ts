// Where an account's endpoint comes from, as far as the configuration tells.
import { fieldValue, isAbsent } from "./config.ts";
import type { AuthConfig, ObjectValue, PackModel } from "./model.ts";

/** Whether the account may have an endpoint before, and without, a choice of its user. */
export function mayHaveEndpointAtOnce(pack: PackModel, auth: AuthConfig): boolean {
  const requires = fieldValue(pack, auth, "requiresEndpointUrl");
  const mayRequire = !isAbsent(pack, auth, "requiresEndpointUrl") && !(requires?.kind === "boolean" && !requires.value);
  return mayRequire || !isAbsent(pack, auth, "endpointKey");
}

/** Whether the account may have an endpoint by any of the ways that there are. */
export const mayHaveEndpoint = (pack: PackModel, auth: AuthConfig): boolean =>
  mayHaveEndpointAtOnce(pack, auth) || !isAbsent(pack, auth, "postSetup");

/** The steps in which a user chooses; empty where they cannot be read. */
export function endpointSteps(pack: PackModel, auth: AuthConfig): readonly ObjectValue[] {
  const steps = fieldValue(pack, auth, "postSetup");
  if (steps?.kind !== "array") return [];
  return steps.items.map((item) => pack.resolve(item)).filter((step): step is ObjectValue => step.kind === "object");
}
