// The sandbox's OAuth 2.0 provider for one configuration: oidc-provider behind the addresses of the configuration. oidc-provider uses its
// own routes under a prefix. Requests to authorizationUrl and tokenUrl are forwarded to them in standard form.

import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { withoutEndSlashes } from "../network/endpoint.ts";
import type { ConfidentialClient } from "../secrets/credential.ts";
import { approvalPage, PAGE_HEADERS, refusalPage, sendPage } from "./approval-page.ts";
import { earnsRefreshToken, type Likeness } from "./likeness.ts";
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

interface ProviderOptions {
  /** The origin of the pack's server. */
  readonly origin: string;
  /** The prefix of the provider's own routes, such as `/_sandbox/user`. */
  readonly prefix: string;
  readonly packName: string;
  /** The configuration, with what the provider's page says instead. */
  readonly auth: AuthenticationDefinition;
  readonly likeness: Omit<Likeness, "auth">;
  readonly client: ConfidentialClient;
  readonly store: TokenStore;
  /** Returns the current switches. */
  switches(): SandboxSwitches;
  readonly endpoint?: string;
  /** Lifetime of access tokens in seconds. */
  readonly tokenLifetime: number;
  /** The scopes that a sign-in may request: those of the configuration, of formulas and of answers. */
  readonly scopes: readonly string[];
  /** Whether a token may be requested for this address (RFC 8707). */
  isResource(address: string): boolean;
  /** Whether the browser may be sent back to this redirect address. */
  isRedirectAddress(address: string): boolean;
}

/** The host and path of an OAuth URL as the sandbox receives them. A relative URL matches on every host. */
interface Place {
  readonly host: string;
  readonly pathname: string;
  matches(pathname: string): boolean;
}

/** Returns undefined if the configuration has no usable tokenUrl, which the sign-in reports itself. */
export function createProvider(options: ProviderOptions): SandboxProvider | undefined {
  const token = placeOf(options.auth.tokenUrl, options.endpoint);
  return token && new SandboxProvider(options, token);
}

export class SandboxProvider {
  readonly #options: ProviderOptions;
  readonly #token: Place;
  readonly #authorization: Place | undefined;
  /** The path of the registration endpoint. */
  readonly #registration: string | undefined;
  readonly #issuer: string;
  readonly #provider: Provider;
  readonly #callback: ReturnType<Provider["callback"]>;

  constructor(options: ProviderOptions, token: Place) {
    const { auth, origin, endpoint } = options;
    this.#options = options;
    this.#token = token;
    this.#authorization = placeOf(auth.authorizationUrl, endpoint);
    this.#registration = auth.useDynamicClientRegistration === true ? `/${token.host}/oauth/register` : undefined;
    this.#issuer = `${origin}/${token.host}`;
    this.#provider = new Provider(this.#issuer, configure(options));
    (this.#provider.Client.prototype as unknown as { redirectUriAllowed(uri: string): boolean }).redirectUriAllowed =
      options.isRedirectAddress;
    this.#provider.use(async (context, next) => {
      await next();
      keepCookiesBesidePages(context.res);
    });
    this.#provider.on("server_error", (_context, error) => console.error(error));
    this.#callback = this.#provider.callback();
  }

  /** The provider's metadata (RFC 8414). */
  get metadata(): Readonly<Record<string, unknown>> {
    const { origin, prefix, auth } = this.#options;
    const authorization = this.#authorization;
    return {
      issuer: this.#issuer,
      token_endpoint: `${this.#issuer}${this.#token.pathname}`,
      revocation_endpoint: `${origin}${prefix}/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
      authorization_response_iss_parameter_supported: true,
      ...defined({
        authorization_endpoint: authorization && `${origin}/${authorization.host}${authorization.pathname}`,
        registration_endpoint: this.#registration && `${origin}${this.#registration}`,
        scopes_supported: auth.scopes && validScopes(this.#options.scopes),
      }),
    };
  }

  async knows(clientId: string): Promise<boolean> {
    return (await this.#provider.Client.find(clientId)) !== undefined;
  }

  /** Returns which of the provider's addresses or own pages a request is for, or undefined if it is for none of them. */
  routeOf(method: string | undefined, pathname: string): "authorization" | "token" | "registration" | "own" | undefined {
    if (pathname.startsWith(`${this.#options.prefix}/`)) return "own";
    if (method === "GET") return this.#authorization?.matches(pathname) ? "authorization" : undefined;
    if (method !== "POST") return undefined;
    return pathname === this.#registration ? "registration" : this.#token.matches(pathname) ? "token" : undefined;
  }

  /**
   * Sends the browser on to the provider's own pages. They are in one folder and link to each other by name, because the browser may reach
   * this server below a path that the server does not see.
   */
  authorize(request: IncomingMessage, response: ServerResponse): void {
    const { auth, origin, prefix, likeness } = this.#options;
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    const refusal =
      (this.#options.switches().rejectPkce || likeness.refusesPkce) && searchParams.has("code_challenge")
        ? { error: "invalid_request", error_description: "code_challenge is not supported" }
        : (delimiterProblem(searchParams, this.#options) ?? resourceProblem(searchParams.getAll("resource"), this.#options));
    if (refusal !== undefined && this.#options.isRedirectAddress(searchParams.get("redirect_uri") ?? "")) {
      sendBack(response, searchParams, { ...refusal, iss: this.#issuer });
      return;
    }
    const root = "../".repeat(pathname.split("/").length - 2) || "./";
    const parameters = authorizationParameters(searchParams, auth, refreshParameters(this.#options));
    response.writeHead(303, { location: `${root}${prefix.slice(1)}/authorize?${parameters}`, "cache-control": "no-store" }).end();
  }

  /** Dynamic client registration (RFC 7591). */
  async register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const clientMetadata = readMetadata(await readBody(request));
    if (clientMetadata === undefined)
      return sendTokenRefusal(response, {
        status: 400,
        error: "invalid_client_metadata",
        error_description: "the body is not a JSON object",
      });
    Object.assign(request, { body: clientMetadata });
    await this.#forward(request, response, "register");
  }

  async exchange(request: IncomingMessage, response: ServerResponse, tokenRequest: TokenRequest): Promise<void> {
    const { auth, endpoint } = this.#options;
    const { clientAuthentication, tokenResponse } = this.#options.switches();
    const { resource } = tokenRequest.parameters;
    const wrong = resourceProblem(resource === undefined ? [] : [resource], this.#options);
    const problem = wrong === undefined ? locationProblem(tokenRequest, auth, clientAuthentication) : ({ status: 400, ...wrong } as const);
    if (problem !== undefined) return sendTokenRefusal(response, problem);
    adaptTokenRequest(request, tokenRequest, auth);
    adaptTokenResponse(response, auth, endpoint, tokenResponse);
    await this.#forward(request, response, "token");
  }

  async handleOwnRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { auth, prefix, origin } = this.#options;
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    const id = searchParams.get("id") ?? "";
    if (pathname === `${prefix}/approve`)
      return interact(this.#provider, request, response, { ...this.#options, id, host: this.#authorization?.host ?? "" });
    if (pathname === `${prefix}/resume`) return this.#forward(request, response, `authorize/${encodeURIComponent(id)}`);
    if (pathname === `${prefix}/revoke` && request.method === "POST") {
      const tokenRequest = readTokenRequest(request, await readBody(request));
      if ("error" in tokenRequest) return sendTokenRefusal(response, tokenRequest);
      adaptTokenRequest(request, tokenRequest, auth);
    }
    await this.#callback(request, response);
  }

  /** Resolves to the token's scopes, or to undefined if the token was not issued here, has expired or was revoked. */
  async scopesOf(accessToken: string): Promise<readonly string[] | undefined> {
    const { AccessToken, ClientCredentials } = this.#provider;
    const token = (await AccessToken.find(accessToken)) ?? (await ClientCredentials.find(accessToken));
    return token && (token.scope?.split(" ") ?? []);
  }

  /** Sends the request on to a route of oidc-provider. */
  async #forward(request: IncomingMessage, response: ServerResponse, route: string): Promise<void> {
    request.url = `${this.#options.prefix}/${route}`;
    await this.#callback(request, response);
  }
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
  const scopes = [...new Set(["openid", "offline_access", DEFAULT_SCOPE, ...validScopes(options.scopes)])];
  /** The grants that get no refresh token, because the sign-in did not ask for one in the provider's way. */
  const grantsWithoutRefresh = new Set<string | undefined>();
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
    // Every client may request every scope. The user who approves decides which scopes the client gets.
    extraParams: [...refreshParameters(options)],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    scopes,
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256", kid: "sandbox" }] as never },
    // Cookies are not separated by port. Different names separate the sign-ins of two packs.
    cookies: { keys: [randomBytes(16).toString("hex")], names: cookieNames },
    // A client that registered itself is treated as a public client, so PKCE is required (RFC 9700, section 2.1.1).
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
    // A token expires exactly at its lifetime, so that a short lifetime can be tried. The default tolerance is 15 seconds.
    clockTolerance: 0,
    rotateRefreshToken: () => options.switches().rotate,
    issueRefreshToken: async (_context, _client, { grantId }) => !grantsWithoutRefresh.has(grantId),
    // Signing in with a second account in the same browser does not end the tokens of the first.
    expiresWithSession: async () => false,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, interaction) => `approve?id=${interaction.uid}` },
    // Approving the page is the consent. The grant has the requested scopes, or all but the last of them if `grantFewer` is on.
    async loadExistingGrant(context) {
      const { provider, session, client: asking, params } = context.oidc;
      if (!session?.accountId || !asking) return undefined;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: asking.clientId });
      const requestedScopes = String(params?.scope ?? "").split(" ");
      const left = options.switches().grantFewer && requestedScopes.length > 1 ? requestedScopes.splice(-1) : [];
      grant.addOIDCScope(requestedScopes.join(" "));
      grant.rejectOIDCScope(left.join(" "));
      const id = await grant.save();
      const { refresh } = options.likeness;
      const authorScopes = String(params?.scope ?? "")
        .split(" ")
        .filter((scope) => scope !== DEFAULT_SCOPE);
      if (refresh !== undefined && !earnsRefreshToken(refresh, params ?? {}, authorScopes)) grantsWithoutRefresh.add(id);
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
  { id, host, ...options }: ProviderOptions & { readonly id: string; readonly host: string },
): Promise<void> {
  const details = await provider.interactionDetails(request, response).catch(() => undefined);
  // The browser has one cookie for all sign-ins of the pack: that of the latest one.
  if (details?.uid !== id) return sendPage(response, 400, refusalPage("This sign-in is over.", ""));
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
  await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false });
  response.writeHead(303, { location: `resume?id=${encodeURIComponent(id)}` }).end();
}

/**
 * Removes the paths of the cookies, so that the browser sends them to the folder of the page that set them (RFC 6265, section 5.1.4). It
 * knows that folder by a path that this server may not know.
 */
function keepCookiesBesidePages(response: ServerResponse): void {
  const cookies = [response.getHeader("set-cookie") ?? []].flat().map(String);
  if (cookies.length > 0)
    response.setHeader(
      "set-cookie",
      cookies.map((cookie) =>
        cookie
          .split("; ")
          .filter((part) => !/^path=/i.test(part))
          .join("; "),
      ),
    );
}

/** Returns an error if the request names an unknown resource (RFC 8707, section 2). */
function resourceProblem(resources: readonly string[], { isResource }: ProviderOptions) {
  const unknown = resources.find((address) => !isResource(address));
  return unknown === undefined
    ? undefined
    : ({ error: "invalid_target", error_description: `resource is not one of the pack's: ${unknown.slice(0, 200)}` } as const);
}

/** Redirects the browser to the client with the error (RFC 6749, section 4.1.2.1). */
function sendBack(response: ServerResponse, query: URLSearchParams, refusal: Readonly<Record<string, string>>): void {
  const url = new URL(query.get("redirect_uri") ?? "");
  for (const [name, value] of Object.entries(refusal)) url.searchParams.set(name, value);
  const state = query.get("state");
  if (state !== null) url.searchParams.set("state", state);
  response.writeHead(302, { location: url.href }).end();
}

/**
 * Returns a client's metadata in the form that oidc-provider accepts; a server may replace values (RFC 7591, section 3.2.1). Its secret is
 * accepted in any place, and every scope may be requested. Returns undefined if the text is not a JSON object.
 */
function readMetadata(text: string): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseObject(text);
  if (parsed === undefined) return undefined;
  const { scope: _scope, ...metadata } = parsed;
  return { ...metadata, token_endpoint_auth_method: metadata.token_endpoint_auth_method === "none" ? "none" : "client_secret_post" };
}

/** A name that is not a valid scope (RFC 6749, section 3.3) is left out, so requesting it is refused. */
const validScopes = (scopes: readonly string[]): readonly string[] => scopes.filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));

/** The parameters of the authorization request that decide about a refresh token. */
const refreshParameters = ({ likeness }: ProviderOptions): readonly string[] =>
  (likeness.refresh?.params ?? []).flatMap(({ name, orParam }) => [name, ...(orParam === undefined ? [] : [orParam])]);

/** Returns an error if the scopes are joined by another delimiter than the provider's, which then reads them as one. */
function delimiterProblem(query: URLSearchParams, { auth, likeness, scopes }: ProviderOptions) {
  const { scopeDelimiter = " ", scopeParamName = "scope" } = auth;
  if (!likeness.hasDelimiter) return undefined;
  const joined = query
    .getAll(scopeParamName)
    .flatMap((text) => text.split(scopeDelimiter))
    .find((scope) => /[ ,;]/.test(scope.trim()) && !scopes.includes(scope));
  return joined === undefined ? undefined : { error: "invalid_scope", error_description: `${joined.slice(0, 200)} is not a scope` };
}

/** Whether a redirect address is on this machine (RFC 8252, section 7.3). */
export const isLoopbackUrl = (uri: string): boolean =>
  URL.canParse(uri) && new URL(uri).protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(uri).hostname);

/**
 * Returns the authorization request for oidc-provider. It contains only the parameters of RFC 6749 and RFC 7636; others are ignored (RFC
 * 6749, section 3.1). The approval page is always shown.
 */
function authorizationParameters(query: URLSearchParams, auth: AuthenticationDefinition, furtherNames: readonly string[]): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const name of ["response_type", "client_id", "redirect_uri", "state", ...furtherNames.filter((name) => name !== "prompt")])
    for (const value of query.getAll(name)) parameters.append(name, value);
  const scopes = splitScopes(query.getAll(auth.scopeParamName ?? "scope"), auth);
  parameters.set("scope", scopes.length > 0 ? scopes.join(" ") : DEFAULT_SCOPE);
  const challenge = query.get("code_challenge");
  const method = query.get("code_challenge_method");
  if (challenge !== null) {
    // A plain challenge, which is the default, equals the verifier (RFC 7636, sections 4.2 and 4.3). Its S256 form verifies the same
    // verifier.
    const isPlain = method === null || method === "plain";
    parameters.set("code_challenge", isPlain ? createHash("sha256").update(challenge).digest("base64url") : challenge);
    parameters.set("code_challenge_method", isPlain ? "S256" : method);
  }
  parameters.set("prompt", "login consent");
  return parameters;
}
