// The credentials of a request, as decided by the formula or table that sends it, its own options, and its host.
import { fieldValue, mayContain, propertyOf, valueIn } from "../configuration/config.ts";
import { isPlatformHost, isUnder } from "../domains/hosts.ts";
import type { AuthConfig, PackModel, RunnableFact } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { functionsOf } from "../pack/functions-of.ts";
import { type PackRequest, requestsOf } from "./requests.ts";

/** Whether the platform certainly adds the account's credentials to the request. */
export const carriesCredentials = (pack: PackModel, request: PackRequest, users: ReadonlyMap<PackRequest, Users>): boolean =>
  request.urls.length > 0 &&
  request.urls.every(({ host, relative }) => relative || host !== undefined) &&
  isSwitchedOff(pack, request) === false &&
  mayOnlyGetCredentials(pack, request, users);

/** Whether the request's own options disable the account's credentials; undefined if unknown. */
export function isSwitchedOff(pack: PackModel, { options }: PackRequest): boolean | undefined {
  if (options === undefined || mayContain(options, "disableAuthentication")) return undefined;
  const off = valueIn(pack, options, "disableAuthentication");
  if (off === undefined || off.kind === "undefined") return false;
  return off.kind === "boolean" ? off.value : undefined;
}

/**
 * Like {@link carriesCredentials}, but ignores the request's own options and assumes that it is sent. An unknown host counts as one of the
 * declared domains.
 */
export function mayOnlyGetCredentials(
  pack: PackModel,
  request: PackRequest,
  users: ReadonlyMap<PackRequest, Users>,
  { urls } = request,
): boolean {
  const use = users.get(request);
  // A request without a known user may belong to a formula that needs no account.
  if (use === undefined ? mentionsNoAccount(pack) : !use.always) return false;
  const { declared, complete } = pack.domains;
  const getCredentials = (hosts: readonly string[]): boolean =>
    hosts.every((host) => pack.auths.every((auth) => getsCredentials(pack, auth, host, use?.beforeEndpoint === true)));
  const anywhere = (): boolean => complete && declared.length > 0 && getCredentials(declared.map(({ value }) => value));
  if (urls.length === 0) return anywhere();
  return urls.every(({ host, relative }) => relative || (host === undefined ? anywhere() : getCredentials([host])));
}

function getsCredentials(pack: PackModel, auth: AuthConfig, host: string, beforeEndpoint: boolean): boolean {
  if (isPlatformHost(host) || auth.config.open) return false;
  // If the account has an endpoint, other hosts get no credentials.
  const endpoints = ["requiresEndpointUrl", "endpointKey", ...(beforeEndpoint ? [] : ["postSetup"])];
  if (endpoints.some((name) => propertyOf(auth.config, name) !== undefined)) return false;
  const chosen = fieldValue(pack, auth, "networkDomain");
  if (chosen === undefined) return true;
  const items = (chosen.kind === "array" ? chosen.items : [chosen]).map((item) => pack.resolve(item));
  return items.some((item) => item.kind === "string" && isUnder(host, item.value));
}

/** The formulas, tables and setup functions that lead to a request. */
interface Users {
  /** Whether all of them run with an account. */
  readonly always: boolean;
  /** Whether all of them list the endpoints to choose from, so that the account has no endpoint yet. */
  readonly beforeEndpoint: boolean;
}

/** Returns the users of each request that a formula, a table or the authentication is known to lead to. */
export const usersOf = (pack: PackModel): ReadonlyMap<PackRequest, Users> => pack.memo(pack, collectUsers);

function collectUsers(pack: PackModel): ReadonlyMap<PackRequest, Users> {
  const users = new Map<PackRequest, Users>();
  const add = (request: PackRequest, always: boolean, beforeEndpoint = false): void => {
    const previous = users.get(request) ?? { always, beforeEndpoint };
    users.set(request, { always: always && previous.always, beforeEndpoint: beforeEndpoint && previous.beforeEndpoint });
  };
  const requests = requestsOf(pack);
  for (const runnable of pack.runnables) {
    if (runnable.definition === undefined) continue;
    const always = needsAccount(pack, runnable);
    for (const value of functionsOf(pack, runnable.definition).functions)
      for (const request of requests.reachedFrom(value).requests) add(request, always);
  }
  for (const { config } of pack.auths)
    for (const { name, value: propertyValue } of config.properties)
      for (const value of functionsOf(pack, propertyValue).functions)
        for (const request of requests.reachedFrom(value).requests) add(request, true, name === "postSetup");
  return users;
}

/** Whether the formula or table requires an account. Any connection requirement other than Required may mean that there is none. */
function needsAccount(pack: PackModel, { definition }: RunnableFact): boolean {
  if (definition === undefined || definition.open || propertyOf(definition, "network") !== undefined) return false;
  // A table may declare the requirement beside its formula or in it.
  const inner = valueIn(pack, definition, "formula");
  if (inner?.kind === "object" && (inner.open || propertyOf(inner, "connectionRequirement") !== undefined)) return false;
  const own = valueIn(pack, definition, "connectionRequirement");
  if (own !== undefined) return isRequired(own);
  return pack.auths.every((auth) => {
    const general = fieldValue(pack, auth, "defaultConnectionRequirement");
    return general === undefined ? !auth.config.open : isRequired(general);
  });
}

const isRequired = (value: Expression): boolean =>
  (value.kind === "member" && value.name === "Required") || (value.kind === "string" && value.value === "required");

const mentionsNoAccount = (pack: PackModel): boolean =>
  pack.facts.some(({ uses, requirements }) => uses("defines", "network") || requirements.some((value) => !isRequired(pack.resolve(value))));
