// The sandbox's OAuth 2.0 provider for one configuration: oidc-provider behind the addresses that the configuration names. It keeps to
// routes of its own under a prefix; what arrives at authorizationUrl and tokenUrl is led there in the standard's form.

import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { withoutEndSlashes } from "../network/endpoint.ts";
import type { ConfidentialClient } from "../secrets/credential.ts";
import { approvalPage, PAGE_HEADERS, refusalPage, sendPage } from "./approval-page.ts";
import { readBody } from "./read-body.ts";
import type { SandboxSwitches } from "./switches.ts";
import {
  adaptTokenRequest,
  adaptTokenResponse,
  DEFAULT_SCOPE,
  locationProblem,
  parseObject,
  readTokenRequest,
  sendTokenRefusal,
  splitScopes,
  type TokenRequest,
} from "./token-endpoint.ts";
import type { TokenStore } from "./token-store.ts";

export interface SandboxProvider {
  /** RFC 8414. */
  readonly metadata: Readonly<Record<string, unknown>>;
  knows(clientId: string): Promise<boolean>;
  /** Which of the provider's addresses a request is for, or its own pages; undefined where it is for none. */
  routeOf(method: string | undefined, pathname: string): "authorization" | "token" | "registration" | "own" | undefined;
  authorize(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Dynamic client registration (RFC 7591). */
  register(request: IncomingMessage, response: ServerResponse): Promise<void>;
  exchange(request: IncomingMessage, response: ServerResponse, tokenRequest: TokenRequest): Promise<void>;
  handleOwnRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** What the token was granted; undefined where it was not issued here, expired or was revoked. */
  scopesOf(accessToken: string): Promise<readonly string[] | undefined>;
}

interface ProviderOptions {
  /** Of the pack's server. */
  readonly origin: string;
  /** Of the provider's own routes, such as `/_sandbox/user`. */
  readonly prefix: string;
  readonly packName: string;
  readonly auth: AuthenticationDefinition;
  readonly client: ConfidentialClient;
  readonly store: TokenStore;
  /** As they are at the moment. */
  switches(): SandboxSwitches;
  readonly endpoint?: string;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** That a sign-in may ask for beside the configuration's own: of formulas, and of answers that need them. */
  readonly moreScopes: readonly string[];
  /** Whether a token may be asked for it (RFC 8707). */
  isResource(address: string): boolean;
}

/** The host and path of an OAuth URL as the sandbox is asked for them; a relative URL is there on every host. */
interface Place {
  readonly host: string;
  readonly pathname: string;
  matches(pathname: string): boolean;
}

/** Undefined where the configuration has no usable tokenUrl: the sign-in says so itself. */
export function createProvider(options: ProviderOptions): SandboxProvider | undefined {
  const { auth, prefix, origin } = options;
  const token = placeOf(auth.tokenUrl, options.endpoint);
  if (token === undefined) return undefined;
  const authorization = placeOf(auth.authorizationUrl, options.endpoint);
  const issuer = `${origin}/${token.host}`;
  const registration = auth.useDynamicClientRegistration === true ? `/${token.host}/oauth/register` : undefined;
  const provider = new Provider(issuer, configure(options));
  // Every loopback address is registered here (RFC 8252, section 7.3); no other is.
  (provider.Client.prototype as unknown as { redirectUriAllowed(uri: string): boolean }).redirectUriAllowed = isLoopbackUrl;
  provider.on("server_error", (_context, error) => console.error(error));
  const callback = provider.callback();

  return {
    metadata: {
      issuer,
      token_endpoint: `${issuer}${token.pathname}`,
      revocation_endpoint: `${origin}${prefix}/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
      authorization_response_iss_parameter_supported: true,
      ...defined({
        authorization_endpoint: authorization && `${origin}/${authorization.host}${authorization.pathname}`,
        registration_endpoint: registration && `${origin}${registration}`,
        scopes_supported: auth.scopes && supportedScopes(options),
      }),
    },
    knows: async (clientId) => (await provider.Client.find(clientId)) !== undefined,
    routeOf(method, pathname) {
      if (pathname.startsWith(`${prefix}/`)) return "own";
      if (method === "GET") return authorization?.matches(pathname) ? "authorization" : undefined;
      if (method !== "POST") return undefined;
      return pathname === registration ? "registration" : token.matches(pathname) ? "token" : undefined;
    },
    async authorize(request, response) {
      const { searchParams } = new URL(request.url ?? "/", origin);
      const refusal =
        options.switches().rejectPkce && searchParams.has("code_challenge")
          ? { error: "invalid_request", error_description: "code_challenge is not supported" }
          : resourceProblem(searchParams.getAll("resource"), options);
      if (refusal !== undefined && isLoopbackUrl(searchParams.get("redirect_uri") ?? ""))
        return sendBack(response, searchParams, { ...refusal, iss: issuer });
      request.url = `${prefix}/authorize?${authorizationParameters(searchParams, auth)}`;
      await callback(request, response);
    },
    async register(request, response) {
      const clientMetadata = readMetadata(await readBody(request));
      if (clientMetadata === undefined)
        return sendTokenRefusal(response, {
          status: 400,
          error: "invalid_client_metadata",
          error_description: "the body is not a JSON object",
        });
      Object.assign(request, { body: clientMetadata });
      request.url = `${prefix}/register`;
      await callback(request, response);
    },
    async exchange(request, response, tokenRequest) {
      const { resource } = tokenRequest.parameters;
      const wrong = resourceProblem(resource === undefined ? [] : [resource], options);
      const problem =
        wrong === undefined
          ? locationProblem(tokenRequest, auth, options.switches().clientAuthentication)
          : ({ status: 400, ...wrong } as const);
      if (problem !== undefined) return sendTokenRefusal(response, problem);
      adaptTokenRequest(request, tokenRequest, auth);
      adaptTokenResponse(response, auth, options.endpoint, options.switches().tokenResponse);
      request.url = `${prefix}/token`;
      await callback(request, response);
    },
    async handleOwnRequest(request, response) {
      const { pathname } = new URL(request.url ?? "/", origin);
      if (pathname.startsWith(`${prefix}/interaction/`)) return interact(provider, request, response, options, authorization?.host ?? "");
      if (pathname === `${prefix}/revoke` && request.method === "POST") {
        const tokenRequest = readTokenRequest(request, await readBody(request));
        if ("error" in tokenRequest) return sendTokenRefusal(response, tokenRequest);
        adaptTokenRequest(request, tokenRequest, auth);
      }
      await callback(request, response);
    },
    async scopesOf(accessToken) {
      const token = (await provider.AccessToken.find(accessToken)) ?? (await provider.ClientCredentials.find(accessToken));
      return token && (token.scope?.split(" ") ?? []);
    },
  };
}

function placeOf(url: string | undefined, endpoint: string | undefined): Place | undefined {
  if (url === undefined) return undefined;
  const isRelative = /^\/(?!\/)/.test(url);
  const text = isRelative ? `${withoutEndSlashes(endpoint ?? "https://sandbox.invalid")}${url}` : url;
  if (!URL.canParse(text)) return undefined;
  const { host, pathname } = new URL(text);
  return {
    host,
    pathname,
    matches: (requestedPath) => (isRelative ? requestedPath.replace(/^\/[^/]+/, "") === pathname : requestedPath === `/${host}${pathname}`),
  };
}

function configure(options: ProviderOptions): Configuration {
  const { auth, prefix, client } = options;
  const isClientCredentials = auth.type === "OAuth2ClientCredentials";
  const scopes = [...new Set(["openid", "offline_access", DEFAULT_SCOPE, ...supportedScopes(options)])];
  const cookie = `sandbox_${createHash("sha256").update(client.clientId).digest("hex").slice(0, 8)}`;
  const cookieNames = { session: cookie, interaction: `${cookie}_interaction`, resume: `${cookie}_resume` };
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    adapter: options.store.adapter,
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        application_type: "native",
        redirect_uris: isClientCredentials ? [] : ["http://localhost:3000/oauth"],
        grant_types: isClientCredentials ? ["client_credentials"] : ["authorization_code", "refresh_token"],
        response_types: isClientCredentials ? [] : ["code"],
        token_endpoint_auth_method: "client_secret_post",
        id_token_signed_response_alg: "ES256",
        scope: scopes.join(" "),
      },
    ],
    // Every client may ask for every scope: which it gets is decided by who approves.
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    scopes,
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256", kid: "sandbox" }] as never },
    // Cookies do not know ports: the names keep the sign-ins of two packs apart.
    cookies: { keys: [randomBytes(16).toString("hex")], names: cookieNames },
    // A client that registered itself has no secret worth the name (RFC 9700, section 2.1.1).
    pkce: { required: () => auth.useProofKeyForCodeExchange === true || auth.useDynamicClientRegistration === true },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: isClientCredentials },
      revocation: { enabled: true },
      registration: { enabled: auth.useDynamicClientRegistration === true, issueRegistrationAccessToken: false },
      resourceIndicators: { enabled: false },
    },
    routes: {
      authorization: `${prefix}/authorize`,
      token: `${prefix}/token`,
      revocation: `${prefix}/revoke`,
      registration: `${prefix}/register`,
    },
    ttl: {
      AccessToken: options.tokenLifetime,
      ClientCredentials: options.tokenLifetime,
      RefreshToken: 30 * 86_400,
      Grant: 30 * 86_400,
      Session: 3_600,
      Interaction: 3_600,
      AuthorizationCode: 60,
    },
    // Whoever tries a short lifetime sees it end, and not 15 seconds later.
    clockTolerance: 0,
    rotateRefreshToken: () => options.switches().rotate,
    issueRefreshToken: async () => true,
    // A second account from the same browser leaves the tokens of the first alone.
    expiresWithSession: async () => false,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, interaction) => `${prefix}/interaction/${interaction.uid}` },
    // Approving the page is the consent: the grant is made of what was asked for, or of all but the last of its scopes.
    async loadExistingGrant(context) {
      const { provider, session, client: asking, params } = context.oidc;
      if (!session?.accountId || !asking) return undefined;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: asking.clientId });
      const requestedScopes = String(params?.scope ?? "").split(" ");
      const left = options.switches().grantFewer && requestedScopes.length > 1 ? requestedScopes.splice(-1) : [];
      grant.addOIDCScope(requestedScopes.join(" "));
      grant.rejectOIDCScope(left.join(" "));
      await grant.save();
      return grant;
    },
    renderError: (context, out) => {
      context.set(PAGE_HEADERS);
      context.body = refusalPage(`${out.error}.`, sentence(String(out.error_description ?? "")));
    },
  };
}

const sentence = (text: string): string => (text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  options: ProviderOptions,
  host: string,
): Promise<void> {
  const details = await provider.interactionDetails(request, response).catch(() => undefined);
  if (details === undefined) return sendPage(response, 400, refusalPage("This sign-in is over.", ""));
  const isDenied = options.switches().deny;
  if (!isDenied && request.method !== "POST") {
    const scopes = splitScopes([String(details.params.scope ?? "")], options.auth).filter((scope) => scope !== DEFAULT_SCOPE);
    return sendPage(response, 200, approvalPage({ packName: options.packName, provider: host, scopes }));
  }
  const decision = isDenied ? "deny" : new URLSearchParams(await readBody(request)).get("decision");
  if (decision !== "approve" && decision !== "deny")
    return sendPage(response, 400, refusalPage("Neither Approve nor Deny was pressed.", ""));
  const result =
    decision === "approve"
      ? { login: { accountId: "sandbox-user" }, consent: {} }
      : { error: "access_denied", error_description: "The sign-in was denied in the sandbox" };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** RFC 8707, section 2. */
function resourceProblem(resources: readonly string[], { isResource }: ProviderOptions) {
  const unknown = resources.find((address) => !isResource(address));
  return unknown === undefined
    ? undefined
    : ({ error: "invalid_target", error_description: `resource is not one of the pack's: ${unknown.slice(0, 200)}` } as const);
}

/** RFC 6749, section 4.1.2.1: the browser goes back with the reason. */
function sendBack(response: ServerResponse, query: URLSearchParams, refusal: Readonly<Record<string, string>>): void {
  const url = new URL(query.get("redirect_uri") ?? "");
  for (const [name, value] of Object.entries(refusal)) url.searchParams.set(name, value);
  const state = query.get("state");
  if (state !== null) url.searchParams.set("state", state);
  response.writeHead(302, { location: url.href }).end();
}

/**
 * A client's metadata as the provider behind takes it (RFC 7591, section 3.2.1: a server may put in its own). Its secret is taken wherever
 * it stands, and it may ask for every scope.
 */
function readMetadata(text: string): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseObject(text);
  if (parsed === undefined) return undefined;
  const { scope: _scope, ...metadata } = parsed;
  return { ...metadata, token_endpoint_auth_method: metadata.token_endpoint_auth_method === "none" ? "none" : "client_secret_post" };
}

/** RFC 6749, section 3.3: what is no scope is not registered, so asking for it is refused. */
const supportedScopes = ({ auth, moreScopes }: ProviderOptions): readonly string[] =>
  splitScopes([...(auth.scopes ?? []), ...moreScopes], auth).filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));

const isLoopbackUrl = (uri: string): boolean =>
  URL.canParse(uri) && new URL(uri).protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(uri).hostname);

/**
 * The request in the provider's own terms. Only what RFC 6749 and RFC 7636 name goes on; the rest is ignored (RFC 6749, section
 * 3.1). The approval page is always shown.
 */
function authorizationParameters(query: URLSearchParams, auth: AuthenticationDefinition): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const name of ["response_type", "client_id", "redirect_uri", "state"])
    for (const value of query.getAll(name)) parameters.append(name, value);
  const scopes = splitScopes(query.getAll(auth.scopeParamName ?? "scope"), auth);
  parameters.set("scope", scopes.length > 0 ? scopes.join(" ") : DEFAULT_SCOPE);
  const challenge = query.get("code_challenge");
  const method = query.get("code_challenge_method");
  if (challenge !== null) {
    // RFC 7636, sections 4.2 and 4.3: a plain challenge, the default, is the verifier; its S256 form verifies the same verifier.
    const isPlain = method === null || method === "plain";
    parameters.set("code_challenge", isPlain ? createHash("sha256").update(challenge).digest("base64url") : challenge);
    parameters.set("code_challenge_method", isPlain ? "S256" : method);
  }
  parameters.set("prompt", "login consent");
  return parameters;
}
