// Selects the sign-in flow of an authentication type, and refuses configurations that no flow supports.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { AUTH_TYPES, asksProvider, configRoot, type FlowKind, isAuthTypeName } from "../../spec/auth-types.ts";
import { PackAuthError } from "../errors.ts";
import type { Pack } from "../process/pack.ts";
import { signInWithBrowser } from "./flows/authorization-code.ts";
import { signInWithAws } from "./flows/aws.ts";
import { signInWithClientCredentials } from "./flows/client-credentials.ts";
import type { Flow } from "./flows/flow.ts";
import { signInWithValues } from "./flows/multi-token.ts";
import { signInWithToken } from "./flows/token.ts";
import { signInWithBasic } from "./flows/web-basic.ts";

/** Undefined for types that need no sign-in, or that cannot sign in here. */
const FLOWS: Readonly<Record<FlowKind, Flow | undefined>> = {
  none: undefined,
  token: signInWithToken,
  "multi-token": signInWithValues,
  custom: signInWithValues,
  "web-basic": signInWithBasic,
  aws: signInWithAws,
  "aws-role": signInWithAws,
  "client-credentials": signInWithClientCredentials,
  "authorization-code": signInWithBrowser,
  unavailable: undefined,
};

/** Returns the configuration to connect. Throws configuration-invalid if the pack has none. */
export function authenticationOf(pack: Pack, scope: AuthScope): AuthenticationDefinition {
  const auth = pack.definition[`${scope}Authentication`];
  if (auth === undefined) throw noAuthentication(scope);
  return auth;
}

export const noAuthentication = (scope: AuthScope): PackAuthError =>
  new PackAuthError(
    "configuration-invalid",
    scope === "system" ? "The pack has no system authentication." : "The pack has no user authentication.",
    { hint: `Call pack.${scope === "system" ? "setSystemAuthentication" : "setUserAuthentication"}({…}) first.` },
  );

/** Returns the flow of the authentication type. Throws type-unavailable. */
export function flowOf(auth: AuthenticationDefinition, scope: AuthScope): Flow {
  const configPath = `${configRoot(scope)}.type`;
  if (!isAuthTypeName(auth.type))
    throw new PackAuthError("type-unavailable", `Pack Auth does not know the authentication type ${auth.type}.`, { configPath });
  const kind = AUTH_TYPES[auth.type].flow;
  const flow = FLOWS[kind];
  if (flow !== undefined) return flow;
  throw new PackAuthError(
    "type-unavailable",
    kind === "none"
      ? "The pack's authentication is None: there is nothing to connect."
      : `${auth.type} is not available outside the platform.`,
    { hint: kind === "none" ? "Run its formulas right away." : "Upload the pack to try it.", configPath },
  );
}

/**
 * Throws configuration-invalid for OAuth2 with absolute URLs, because nobody types an endpoint there (auth-spec 5.7.3). Root-relative URLs,
 * which the Packs SDK accepts, need the typed endpoint.
 */
export function refuseUnsupported(auth: AuthenticationDefinition, scope: AuthScope): void {
  const isAbsolute = [auth.authorizationUrl, auth.tokenUrl].some((url) => url !== undefined && !url.startsWith("/"));
  if (!asksProvider(auth.type) || !isAbsolute) return;
  throw new PackAuthError(
    "configuration-invalid",
    "With OAuth2 the user types no endpoint, and the platform rejects requiresEndpointUrl with absolute URLs.",
    {
      hint: "Take the endpoint from the token response (endpointKey), let the user choose one (postSetup), or remove requiresEndpointUrl.",
      configPath: `${configRoot(scope)}.requiresEndpointUrl`,
    },
  );
}
