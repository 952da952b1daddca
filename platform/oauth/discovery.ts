// Reads a provider's metadata: which server issues an API's tokens (RFC 9728), and that server's addresses (RFC 8414, OpenID Connect
// Discovery). The requests send no secret.
// Invariant: metadata is used only if it names the issuer, resource or token endpoint that it was requested for; else it is only reported.
// Invariant: only standard addresses are requested. RFC 8414, section 3.1 puts the issuer's path behind the well-known part.
// OpenID Connect Discovery, section 4 puts the well-known part behind the issuer. RFC 9728, section 3.1 defines the address of a resource's
// metadata, and section 5.1 lets an MCP server's 401 response name it.

import * as oauth from "oauth4webapi";
import { defined } from "../../base/defined.ts";
import { challengesIn } from "../diagnosis/challenges.ts";
import { abortable } from "../network/abortable.ts";
import { isReachable } from "../network/reachable-address.ts";
import { providerOptions, type Reach, signalOf } from "./provider-fetch.ts";

export interface Server {
  readonly issuer: string;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly registrationUrl?: string;
  readonly revocationUrl?: string;
  /** RFC 9207: true if every response of the authorization page names the issuer. */
  readonly namesIssuer: boolean;
  /** RFC 8414, `token_endpoint_auth_methods_supported`; absent if the metadata does not list them. */
  readonly clientMethods?: readonly string[];
  readonly scopes?: readonly string[];
  /** RFC 7636: `S256`, `plain`. */
  readonly challengeMethods?: readonly string[];
}

/** Metadata that is not used, because it names another issuer than its address, or another token endpoint than tokenUrl. */
export interface OtherServer {
  /** The issuer whose metadata was requested. */
  readonly requestedIssuer: string;
  readonly metadata: Server;
}

export interface Discovered {
  readonly server: Server | undefined;
  /** The document that describes the server. */
  readonly metadata?: ServerMetadata;
  readonly otherServers: readonly OtherServer[];
}

/** The metadata of an issuer, as it was published: its members may have any type. */
export type ServerMetadata = oauth.AuthorizationServer;

/** The metadata of an API (RFC 9728), as it was published. */
export type ResourceMetadata = oauth.ResourceServer;

/** An API and the issuers of its tokens. */
interface Resource {
  /** The value of the `resource` parameter (RFC 8707). */
  readonly resource: string;
  readonly issuers: readonly string[];
  /** The document that names the issuers; absent if the API publishes none. */
  readonly metadata?: ResourceMetadata;
  /** The resource that unused metadata names. */
  readonly other?: string;
}

export interface ResourceAddress {
  readonly address: string;
  /** True for an MCP server, false for a network domain. */
  readonly isMcp?: boolean;
  /** The address of the API's metadata that its 401 response named (RFC 9728, section 5.1), if the response is known. */
  readonly metadataUrl?: string;
}

/** Returns the issuer's metadata (RFC 8414, OpenID Connect Discovery), and metadata that names another issuer. */
export async function discoverServer(issuer: string, reach: Reach): Promise<Discovered> {
  const otherServers: OtherServer[] = [];
  if (!isReachable(issuer)) return { server: undefined, otherServers };
  const identifier = new URL(issuer);
  for (const algorithm of ["oauth2", "oidc"] as const) {
    try {
      const response = await oauth.discoveryRequest(identifier, { ...providerOptions(issuer, reach), algorithm });
      const metadata = await oauth.processDiscoveryResponse(identifier, response);
      return { server: serverOf(metadata, issuer), metadata, otherServers };
    } catch (error) {
      if (reach.signal?.aborted) break;
      const metadata = metadataOfAnother<oauth.AuthorizationServer>(error);
      if (metadata !== undefined) otherServers.push({ requestedIssuer: issuer, metadata: serverOf(metadata, issuer) });
      else reach.onProblem?.(issuer, error);
    }
  }
  return { server: undefined, otherServers };
}

/** Returns the metadata that names another issuer or resource. It must not be used (RFC 8414, section 3.3, and RFC 9728, section 3.3). */
function metadataOfAnother<T extends oauth.AuthorizationServer | oauth.ResourceServer>(error: unknown): T | undefined {
  if (!(error instanceof oauth.OperationProcessingError) || error.code !== oauth.JSON_ATTRIBUTE_COMPARISON) return undefined;
  const { body } = error.cause as { readonly body: T };
  return isReachable(body.issuer ?? body.resource) ? body : undefined;
}

/** Returns the strings of a member of metadata that must be a list of strings, or undefined if it is no list. */
export const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;

/** Returns the server that metadata describes, without addresses that must not be requested. `issuer` is the address of the document. */
export function serverOf(metadata: ServerMetadata, issuer: string): Server {
  const address = (name: "authorization_endpoint" | "token_endpoint" | "registration_endpoint" | "revocation_endpoint") =>
    isReachable(metadata[name], issuer) ? metadata[name] : undefined;
  const [authorizationUrl, tokenUrl] = [address("authorization_endpoint"), address("token_endpoint")];
  const [registrationUrl, revocationUrl] = [address("registration_endpoint"), address("revocation_endpoint")];
  const clientMethods = texts(metadata.token_endpoint_auth_methods_supported);
  // RFC 6749, section 3.3: values that are not valid scopes are left out.
  const scopes = texts(metadata.scopes_supported)?.filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope));
  const challengeMethods = texts(metadata.code_challenge_methods_supported);
  return {
    issuer: metadata.issuer,
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
    ...defined({ authorizationUrl, tokenUrl, registrationUrl, revocationUrl, clientMethods, scopes, challengeMethods }),
  };
}

/** Returns the metadata of the configured addresses, if an issuer that they may belong to publishes it. */
export async function discoverConfigured(authorizationUrl: string, tokenUrl: string, reach: Reach): Promise<Discovered> {
  const discoveries = await Promise.all(issuersOf(authorizationUrl, tokenUrl).map((issuer) => discoverServer(issuer, reach)));
  // A slash at the end of an identifier changes neither of its addresses, and the configuration does not say which form is right.
  const servers = discoveries.flatMap(
    ({ server, otherServers }) =>
      server ?? otherServers.flatMap(({ requestedIssuer, metadata }) => (metadata.issuer === `${requestedIssuer}/` ? metadata : [])),
  );
  const server = servers.find((candidate) => sameAddress(candidate.tokenUrl, tokenUrl));
  const otherServers = discoveries.flatMap((discovery) => discovery.otherServers).filter(({ metadata }) => !servers.includes(metadata));
  if (server !== undefined) return { server, otherServers };
  return {
    server,
    otherServers: [...servers.map((candidate) => ({ requestedIssuer: candidate.issuer, metadata: candidate })), ...otherServers],
  };
}

/**
 * Returns the issuers that the addresses may belong to: their origins, and the path that both have in common. The path is tried with and
 * without the endpoint's own words.
 * Examples: `https://login.example/oidc` from `…/oidc/token`, and `https://login.example/realms/shop` from
 * `…/realms/shop/protocol/openid-connect/token`.
 */
function issuersOf(authorizationUrl: string, tokenUrl: string): readonly string[] {
  const authorizationIssuers = pathIssuers(authorizationUrl);
  const origins = [tokenUrl, authorizationUrl].map((address) => `${new URL(address).origin}/`);
  return [...new Set([...origins, ...pathIssuers(tokenUrl).filter((path) => authorizationIssuers.includes(path))])];
}

/** Returns the issuers that the path of an endpoint may belong to, with and without the endpoint's own words. */
export function pathIssuers(endpoint: string): readonly string[] {
  const { origin, pathname } = new URL(endpoint);
  const parts = pathname.split("/").filter(Boolean).slice(0, -1);
  const last = parts.findLastIndex((part) => !ENDPOINT_WORD.test(part));
  return [parts, parts.slice(0, last + 1)].map((path) => `${origin}/${path.join("/")}`);
}

const ENDPOINT_WORD = /^(oauth2?|oidc|openid-connect|connect|protocol|v\d+(\.\d+)?)$/i;

const sameAddress = (a: string | undefined, b: string): boolean => {
  if (a === undefined) return false;
  const [one, two] = [new URL(a), new URL(b)];
  return one.origin === two.origin && one.pathname === two.pathname;
};

/**
 * Returns whether an issuer's revocation endpoint is trusted with tokens of that token endpoint. An issuer on another host could otherwise
 * collect tokens and the client secret.
 */
export const mayRevoke = (issuer: string | undefined, tokenUrl: string): boolean =>
  issuer !== undefined && URL.canParse(issuer) && new URL(issuer).origin === new URL(tokenUrl).origin;

/**
 * Returns the issuers of an API's tokens. If the API publishes no metadata, its own origin is assumed to be the issuer, as with older APIs.
 * Identifiers in `requestedAddresses` are not requested again. The 401 response of an MCP server may name the metadata's address.
 */
export async function discoverResource(
  { address, isMcp, metadataUrl }: ResourceAddress,
  requestedAddresses: Set<string>,
  reach: Reach,
): Promise<Resource | undefined> {
  if (!isReachable(address)) return undefined;
  const origin = `${new URL(address).origin}/`;
  const refusal = metadataUrl ?? (isMcp && !requestedAddresses.has(address) ? await metadataOfRefusal(address, reach) : undefined);
  let other: string | undefined;
  const places: readonly { readonly candidate: string; readonly metadata?: string }[] = [
    ...(refusal === undefined ? [] : [{ candidate: address, metadata: refusal }]),
    { candidate: address },
    { candidate: origin },
  ];
  // RFC 9728, section 3.1: the address from the 401 response comes first, then the one with the path, then the origin's.
  for (const { candidate, metadata } of places) {
    if (metadata === undefined && requestedAddresses.has(candidate)) continue;
    if (metadata === undefined || metadata === wellKnown(candidate)) requestedAddresses.add(candidate);
    try {
      const identifier = new URL(candidate);
      const options = providerOptions(metadata ?? candidate, reach);
      const response =
        metadata === undefined
          ? await oauth.resourceDiscoveryRequest(identifier, options)
          : await options[oauth.customFetch](metadata, { ...GET_JSON, signal: options.signal });
      const resourceServer = await oauth.processResourceDiscoveryResponse(identifier, response);
      const named = Array.isArray(resourceServer.authorization_servers) ? resourceServer.authorization_servers : [];
      const issuers = named.filter((issuer) => isReachable(issuer, candidate)).slice(0, MOST_ISSUERS);
      if (issuers.length > 0) return { resource: resourceServer.resource, issuers, metadata: resourceServer };
    } catch (error) {
      if (reach.signal?.aborted) return undefined;
      const otherResource = metadataOfAnother<oauth.ResourceServer>(error);
      // The origin's metadata may name the API itself as its resource; that is no contradiction.
      if (otherResource === undefined) reach.onProblem?.(metadata ?? candidate, error);
      else if (otherResource.resource !== address) other ??= new URL(otherResource.resource).href;
    }
  }
  return { resource: address, issuers: [origin], ...defined({ other }) };
}

/** The most issuers of one API that are tried; each takes two requests. */
const MOST_ISSUERS = 5;

const GET_JSON = { method: "GET", headers: { accept: "application/json" }, redirect: "manual", body: undefined } as const;

const wellKnown = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
};

/**
 * Returns the metadata address that a 401 response names (RFC 9728, section 5.1). The request is a ping, which has no effect on an open
 * server.
 */
async function metadataOfRefusal(address: string, reach: Reach): Promise<string | undefined> {
  const signal = signalOf(reach);
  try {
    const pendingResponse = reach.fetch(address, {
      method: "POST",
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      redirect: "manual",
      credentials: "omit",
      signal,
    });
    const { status, headers, body } = await abortable(pendingResponse, signal);
    void body?.cancel().catch(() => {});
    if (status !== 401) return undefined;
    return metadataUrlIn(headers, address);
  } catch (error) {
    if (!reach.signal?.aborted) reach.onProblem?.(address, error);
    return undefined;
  }
}

/** Returns the address of the API's metadata that the headers of its 401 response name (RFC 9728, section 5.1). */
export function metadataUrlIn(headers: Headers, address: string): string | undefined {
  const named = challengesIn(headers.get("www-authenticate") ?? "").find(({ parameters }) => parameters.resource_metadata !== undefined);
  const metadata = named?.parameters.resource_metadata;
  return isReachable(metadata, address) ? metadata : undefined;
}
