// Where an account's endpoint comes from, as far as the configuration determines it.

import type { EndpointUse } from "../model/context-facts.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Expression, Place, Value } from "../model/values.ts";
import { endpointSteps, fieldValue, isAbsent, propertyOf, valueIn } from "./config.ts";

/** Whether accounts of any of the pack's authentications may have an endpoint. */
export const mayHaveAnyEndpoint = (pack: PackModel): boolean =>
  !pack.authsComplete || pack.auths.some((auth) => mayHaveEndpoint(pack, auth));

/** Whether the account may have an endpoint without a choice by its user. */
export function mayHaveEndpointAtOnce(pack: PackModel, auth: AuthConfig): boolean {
  const requires = fieldValue(pack, auth, "requiresEndpointUrl");
  const mayRequire = !isAbsent(pack, auth, "requiresEndpointUrl") && !(requires?.kind === "boolean" && !requires.value);
  // An empty key counts as one that the author has not filled in yet.
  return mayRequire || !isAbsent(pack, auth, "endpointKey");
}

/** Whether the endpoint key is known to be absent or empty. */
export function hasNoEndpointKey(pack: PackModel, auth: AuthConfig): boolean {
  const key = fieldValue(pack, auth, "endpointKey");
  return isAbsent(pack, auth, "endpointKey") || (key?.kind === "string" && key.value === "");
}

/** Whether the account may have an endpoint from any source. */
export const mayHaveEndpoint = (pack: PackModel, auth: AuthConfig): boolean =>
  mayHaveEndpointAtOnce(pack, auth) || !isAbsent(pack, auth, "postSetup");

/** Whether a use works without an endpoint, because of an alternative value. "perhaps" if that is unknown. */
export function goesWithout(pack: PackModel, { guarded, instead }: EndpointUse): "yes" | "perhaps" | "no" {
  if (guarded) return "yes";
  if (instead === undefined) return "no";
  if (isThere(pack, instead)) return "yes";
  return pack.options(instead).every((value) => isNothing(pack.resolve(value))) ? "no" : "perhaps";
}

/** Whether the value is certainly set: one operand of `||` or `??` is enough, but every option of a condition must be. */
function isThere(pack: PackModel, value: Expression): boolean {
  if (value.kind === "choice")
    return value.decidedBy === "||" || value.decidedBy === "??"
      ? value.options.some((one) => isThere(pack, one))
      : value.options.every((one) => isThere(pack, one));
  const resolved = pack.resolve(value);
  if (resolved.kind === "template") return resolved.parts.some((part) => part.kind === "string" && part.value !== "");
  return resolved.kind === "string" && resolved.value !== "";
}

const isNothing = (value: Value): boolean =>
  value.kind === "undefined" || value.kind === "null" || (value.kind === "string" && value.value === "");

/** Returns the endpoints that the configuration's steps offer, as far as their functions return literal values, with their places. */
export function offeredEndpoints(pack: PackModel, auth: AuthConfig): readonly { readonly place: Place; readonly value: Expression }[] {
  return endpointSteps(pack, auth).flatMap((step) =>
    ["getOptions", "getOptionsFormula"].flatMap((name) => {
      const options = valueIn(pack, step, name);
      return options?.kind === "function" ? returnedEndpoints(pack, options.place) : [];
    }),
  );
}

function returnedEndpoints(pack: PackModel, options: Place): readonly { readonly place: Place; readonly value: Expression }[] {
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

/**
 * Whether no account has an endpoint against which an MCP server's path could be resolved. The system's authentication takes precedence
 * over the user's.
 */
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
