// Where an account's endpoint comes from, as far as the configuration tells.

import type { EndpointUse } from "../model/context-facts.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Place, Value } from "../model/values.ts";
import { endpointSteps, fieldValue, isAbsent, propertyOf, valueIn } from "./config.ts";

/** Whether the accounts of any of its authentications may have one. */
export const mayHaveAnyEndpoint = (pack: PackModel): boolean =>
  !pack.authsComplete || pack.auths.some((auth) => mayHaveEndpoint(pack, auth));

/** Whether the account may have an endpoint before, and without, a choice of its user. */
export function mayHaveEndpointAtOnce(pack: PackModel, auth: AuthConfig): boolean {
  const requires = fieldValue(pack, auth, "requiresEndpointUrl");
  const mayRequire = !isAbsent(pack, auth, "requiresEndpointUrl") && !(requires?.kind === "boolean" && !requires.value);
  // An empty key is one that its author has not filled in yet.
  return mayRequire || !isAbsent(pack, auth, "endpointKey");
}

/** Known to be left out, or to name nothing. */
export function hasNoEndpointKey(pack: PackModel, auth: AuthConfig): boolean {
  const key = fieldValue(pack, auth, "endpointKey");
  return isAbsent(pack, auth, "endpointKey") || (key?.kind === "string" && key.value === "");
}

/** Whether the account may have an endpoint by any of the ways that there are. */
export const mayHaveEndpoint = (pack: PackModel, auth: AuthConfig): boolean =>
  mayHaveEndpointAtOnce(pack, auth) || !isAbsent(pack, auth, "postSetup");

/** Whether a use goes without an endpoint as well: by something else that is there. "perhaps" where that is not known. */
export function goesWithout(pack: PackModel, { guarded, instead }: EndpointUse): "yes" | "perhaps" | "no" {
  if (guarded) return "yes";
  if (instead === undefined) return "no";
  if (isThere(pack, instead)) return "yes";
  return pack.options(instead).every((value) => isNothing(pack.resolve(value))) ? "no" : "perhaps";
}

/** Whether it is certain to be something: one operand of `||` is enough, and each of what a condition chooses has to be. */
function isThere(pack: PackModel, value: Value): boolean {
  if (value.kind === "choice")
    return value.by === undefined ? value.options.every((one) => isThere(pack, one)) : value.options.some((one) => isThere(pack, one));
  const resolved = pack.resolve(value);
  if (resolved.kind === "template") return resolved.parts.some((part) => part.kind === "string" && part.value !== "");
  return resolved.kind === "string" && resolved.value !== "";
}

const isNothing = (value: Value): boolean =>
  value.kind === "undefined" || value.kind === "null" || (value.kind === "string" && value.value === "");

/** The endpoints that a configuration's steps offer, as far as their functions write them out, with where each stands. */
export function offeredEndpoints(pack: PackModel, auth: AuthConfig): readonly { readonly place: Place; readonly value: Value }[] {
  return endpointSteps(pack, auth).flatMap((step) =>
    ["getOptions", "getOptionsFormula"].flatMap((name) => {
      const options = valueIn(pack, step, name);
      return options?.kind === "function" ? returnedEndpoints(pack, options.place) : [];
    }),
  );
}

function returnedEndpoints(pack: PackModel, options: Place): readonly { readonly place: Place; readonly value: Value }[] {
  return (pack.functionAt(options)?.values ?? []).flatMap((returned) => {
    const list = pack.resolve(returned);
    return (list.kind === "array" ? list.items : []).map((item) => {
      const option = pack.resolve(item);
      const property = option.kind === "object" ? propertyOf(option, "value") : undefined;
      const optionValue = property?.value ?? item;
      return { place: optionValue.place, value: pack.resolve(optionValue) };
    });
  });
}

/** Whether no account has an endpoint that a path of an MCP server could be resolved against. The system's authentication counts where there is one, else the user's. */
export function hasNoEndpointForServers(pack: PackModel): boolean {
  if (pack.partial || !pack.complete.users) return false;
  const system = pack.auths.filter(({ scope }) => scope === "system");
  const counting = system.length > 0 ? system : pack.auths;
  return counting.every((auth) => !mayHaveEndpointAtOnce(pack, auth) && hasNoSteps(pack, auth));
}

function hasNoSteps(pack: PackModel, auth: AuthConfig): boolean {
  const steps = fieldValue(pack, auth, "postSetup");
  return isAbsent(pack, auth, "postSetup") || (steps?.kind === "array" && !steps.open && steps.items.length === 0);
}
