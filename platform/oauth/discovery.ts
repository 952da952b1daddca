// What a provider tells of itself: which server issues an API's tokens (RFC 9728), and that server's addresses (RFC 8414, OpenID Connect
// Discovery). Nothing secret is sent for it. Invariant: what is found is only believed where it names the same issuer, resource or
// token endpoint as the question did.
import * as oauth from "oauth4webapi";
import { withoutEndSlashes } from "../endpoint.ts";
import { isReachable, providerOptions, type Reach } from "./provider-fetch.ts";

export interface Server {
  readonly issuer: string;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly registrationUrl?: string;
  readonly revocationUrl?: string;
  /** RFC 9207: every answer of the authorization page names the issuer. */
  readonly namesIssuer: boolean;
  /** RFC 8414: absent where it does not tell. */
  readonly clientMethods?: readonly string[];
}

/** An API and who issues its tokens. */
export interface Resource {
  /** For the `resource` parameter (RFC 8707). */
  readonly resource: string;
  readonly issuers: readonly string[];
}

/** Undefined where the issuer tells nothing, or of somebody else. */
export async function discoverServer(issuer: string, reach: Reach): Promise<Server | undefined> {
  if (!isReachable(issuer)) return undefined;
  const identifier = new URL(issuer);
  for (const algorithm of ["oauth2", "oidc"] as const) {
    try {
      const response = await oauth.discoveryRequest(identifier, { ...providerOptions(issuer, reach), algorithm });
      return serverOf(await oauth.processDiscoveryResponse(identifier, response), issuer);
    } catch {
      if (reach.signal?.aborted) return undefined;
    }
  }
  return undefined;
}

function serverOf(found: oauth.AuthorizationServer, issuer: string): Server {
  const address = (name: "authorization_endpoint" | "token_endpoint" | "registration_endpoint" | "revocation_endpoint") =>
    isReachable(found[name], issuer) ? found[name] : undefined;
  const texts = (value: unknown): readonly string[] | undefined =>
    Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
  const [authorizationUrl, tokenUrl] = [address("authorization_endpoint"), address("token_endpoint")];
  const [registrationUrl, revocationUrl] = [address("registration_endpoint"), address("revocation_endpoint")];
  const clientMethods = texts(found.token_endpoint_auth_methods_supported);
  return {
    issuer: found.issuer,
    namesIssuer: found.authorization_response_iss_parameter_supported === true,
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
    ...(registrationUrl === undefined ? {} : { registrationUrl }),
    ...(revocationUrl === undefined ? {} : { revocationUrl }),
    ...(clientMethods === undefined ? {} : { clientMethods }),
  };
}

/** The server behind addresses that the configuration gives, where it tells of itself under one of the usual identifiers. */
export async function discoverConfigured(authorizationUrl: string, tokenUrl: string, reach: Reach): Promise<Server | undefined> {
  const found = await Promise.all(issuersOf(authorizationUrl, tokenUrl).map((issuer) => discoverServer(issuer, reach)));
  return found.find((server) => server !== undefined && sameAddress(server.tokenUrl, tokenUrl));
}

const MOST_ISSUERS = 5;

/** Issuers are mostly the origin, or the address without its last parts: `https://login.example/tenant`. */
function issuersOf(authorizationUrl: string, tokenUrl: string): readonly string[] {
  const issuers = new Set<string>();
  for (const address of [authorizationUrl, tokenUrl]) {
    const { origin, pathname } = new URL(address);
    issuers.add(origin);
    const parts = pathname.split("/").filter(Boolean);
    for (let end = parts.length - 1; end > 0; end--) issuers.add(`${origin}/${parts.slice(0, end).join("/")}`);
  }
  return [...issuers].slice(0, MOST_ISSUERS);
}

const sameAddress = (a: string | undefined, b: string): boolean => {
  if (a === undefined) return false;
  const [one, two] = [new URL(a), new URL(b)];
  return one.origin === two.origin && one.pathname === two.pathname;
};

/** Who issues the tokens of an API. An API that tells nothing is taken for its own issuer, as older ones are. */
export async function discoverResource(address: string, reach: Reach): Promise<Resource | undefined> {
  if (!isReachable(address)) return undefined;
  const { origin, pathname } = new URL(address);
  // RFC 9728, section 3.1: first the one with the path, then the whole host's.
  for (const candidate of new Set([address, `${origin}/`])) {
    try {
      const identifier = new URL(candidate);
      const response = await oauth.resourceDiscoveryRequest(identifier, providerOptions(candidate, reach));
      const found = await oauth.processResourceDiscoveryResponse(identifier, response);
      const issuers = (found.authorization_servers ?? []).filter((issuer) => isReachable(issuer, candidate));
      if (issuers.length > 0) return { resource: found.resource, issuers };
    } catch {
      if (reach.signal?.aborted) return undefined;
    }
  }
  const own = pathname === "/" ? [] : [`${origin}${withoutEndSlashes(pathname)}`];
  return { resource: address, issuers: [...own, origin] };
}
