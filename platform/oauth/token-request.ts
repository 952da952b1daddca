// Requests tokens from the token endpoint: code exchange, client credentials and refresh (RFC 6749, sections 4.1.3, 4.4.2 and 6). It finds
// the client authentication that the provider accepts.
// Invariant: the code and the secrets go to the configuration's tokenUrl only; its redirects are refused.
import * as oauth from "oauth4webapi";
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FieldWith } from "../../spec/configuration-fields.ts";
import { explain } from "../diagnosis/explain.ts";
import { configPathOf, isWebPage } from "../diagnosis/words.ts";
import { PackAuthError, type PackAuthErrorOptions } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { abortable, withinTime } from "../network/abortable.ts";
import { endpointProblem, normaliseEndpoint } from "../network/endpoint.ts";
import type { ClientCredentials, ClientMethod, OAuth2Credential } from "../secrets/credential.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import { resourceParameter, scopeParameter } from "./authorization-request.ts";
import { authenticationBy, isBasic, isJson, jsonMethodsFor, LOCATIONS, METHOD_NAMES, methodsFor } from "./client-authentication.ts";
import { failureOf, type ProviderFacts, RedirectRefused, type TokenFailure } from "./token-failure.ts";
import { type NormalisedResponse, normaliseTokenResponse, selectPrintableNames } from "./token-response.ts";

export interface TokenEndpoint {
  readonly auth: AuthenticationDefinition;
  /** The member that contains the configuration, for error links: `userAuthentication` or `systemAuthentication`. */
  readonly configRoot: string;
  /** The logical token URL, absolute. */
  readonly tokenUrl: string;
  /** The address that requests are sent to: the token URL, or the sandbox. */
  readonly address: string;
  readonly client: ClientCredentials;
  /** The access token that the new one replaces. It is masked, because the provider knows it and may quote it. */
  readonly replaces?: string;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /** What the callback and the provider's metadata say. */
  readonly provider?: ProviderFacts;
  /** The client authentication method to try first. */
  readonly remembered?: ClientMethod;
  /** Milliseconds for one request; 30,000 by default. */
  readonly timeout?: number;
  /** Receives a summary of each response. */
  record?(exchange: TokenExchange): void;
  /** Receives the method that the next sign-in tries first, if a failed attempt may have used up the code. */
  remember?(method: ClientMethod): Promise<void>;
}

/** A summary of a token endpoint's response: its member names and addresses, never a token, a code or a secret. */
export interface TokenExchange {
  readonly status: number;
  /** The target of a redirect, without its query. */
  readonly redirect?: string;
  /** True if the response was a web page. */
  readonly isPage?: boolean;
  /** The member of the response whose object contains the access_token, if it is not at the top level. */
  readonly tokenIn?: string;
  /** Members whose value is an https address on another host than the token endpoint's. */
  readonly addresses: readonly { readonly name: string; readonly host: string }[];
}

export interface TokenResponse {
  readonly credential: OAuth2Credential;
  readonly method: ClientMethod;
  readonly raw: Readonly<Record<string, unknown>>;
  /** Names of the response's members that may be shown. */
  readonly members: readonly string[];
  readonly scopesGranted?: readonly string[];
}

export type Grant =
  | {
      readonly kind: "code";
      readonly callback: URLSearchParams;
      readonly state: string;
      readonly redirectUri: string;
      readonly verifier?: string;
    }
  | { readonly kind: "refresh"; readonly refreshToken: string }
  | { readonly kind: "client-credentials" };

export const OFFLINE_ACCESS = "offline_access";

const DEADLINE = 30_000;

/** A failed token request, with the facts that its callers decide by. */
export class TokenRequestError extends PackAuthError {
  /** True if the provider refused the client ID or secret. */
  readonly isClientRefused: boolean;
  /** True if the provider refused the code or refresh token. */
  readonly isGrantRefused: boolean;
  /** True if the grant was sent and the result is unknown. */
  readonly isResponseLost: boolean;
  /** The provider's own code, or a few words if it sent none. */
  readonly summary: string;

  constructor(
    code: "credentials-refused" | "refresh-failed" | "token-exchange-failed",
    message: string,
    options: PackAuthErrorOptions & Pick<TokenRequestError, "isClientRefused" | "isGrantRefused" | "isResponseLost" | "summary">,
  ) {
    super(code, message, options);
    this.summary = options.summary;
    this.isClientRefused = options.isClientRefused;
    this.isGrantRefused = options.isGrantRefused;
    this.isResponseLost = options.isResponseLost;
  }
}

interface Attempt {
  readonly method: ClientMethod;
  readonly failure: TokenFailure;
}

/** Requests a token, trying the client authentication methods in order. Throws TokenRequestError with the result of each attempt. */
export async function requestToken(endpoint: TokenEndpoint, grant: Grant): Promise<TokenResponse> {
  const attempts: Attempt[] = [];
  let [method, ...rest] = methodsFor(endpoint.client, endpoint.auth, endpoint.remembered);
  while (method !== undefined) {
    const outcome = await attempt(endpoint, grant, method);
    if ("tokenResponse" in outcome) return outcome.tokenResponse;
    attempts.push({ method, failure: outcome });
    if (!otherMethodMayHelp(outcome, method, endpoint, grant)) break;
    const isTried = (one: ClientMethod): boolean => attempts.some((each) => each.method === one);
    const first = outcome.verdict === "form" && !isJson(method) ? jsonMethodsFor(endpoint.client, endpoint.auth) : [];
    [method, ...rest] = [...new Set([...first, ...rest])].filter((one) => !isTried(one));
  }
  if (grant.kind === "code") await rememberAfterFailure(attempts, endpoint);
  throw errorOf(attempts, endpoint, grant);
}

/**
 * Returns whether to try another method. JSON is a guess, and the remembered method may belong to an earlier secret, so most errors after
 * these do not end the attempts.
 */
function otherMethodMayHelp({ verdict, status }: TokenFailure, method: ClientMethod, { remembered }: TokenEndpoint, grant: Grant): boolean {
  if (verdict === "client") return true;
  // A refresh believes the method that worked before.
  if (verdict === "form" && (grant.kind !== "refresh" || method !== remembered)) return true;
  if (verdict === "grant" || status === undefined || status === 429 || !(isJson(method) || method === remembered)) return false;
  // A refresh token that the provider may have used up is not sent again.
  return grant.kind === "code" || (verdict === "other" && status < 500);
}

/**
 * Saves the method for the next sign-in, because a refused method may have used up the code. The next sign-in starts with the method whose
 * error was about the code.
 * If the first method already got that error, the next one in order takes its place, so that no pack is stuck with one method.
 */
async function rememberAfterFailure(attempts: readonly Attempt[], { client, auth, remember }: TokenEndpoint): Promise<void> {
  const last = heardOf(attempts).at(-1);
  if (last?.failure.verdict !== "grant") return;
  if (attempts.length > 1) await remember?.(last.method);
  else if (last.method !== "form") {
    const order = methodsFor(client, auth);
    await remember?.(order[order.indexOf(last.method) + 1] ?? "form");
  }
}

/**
 * Returns the attempts whose errors count. The error after a JSON body is ignored, because most servers do not read JSON, unless the server
 * asked for JSON, or JSON worked before.
 */
function heardOf(attempts: readonly Attempt[]): readonly Attempt[] {
  const wantsJson = attempts.some(({ failure }) => failure.diagnosis === "token-url-wants-json");
  return attempts.filter(({ method, failure }, index) => !isJson(method) || wantsJson || (index === 0 && failure.verdict === "grant"));
}

function errorOf(attempts: readonly Attempt[], endpoint: TokenEndpoint, grant: Grant): PackAuthError {
  const [first] = attempts;
  if (first === undefined) throw new Error("there is always a method");
  const heard = heardOf(attempts);
  const isBelieved = grant.kind === "refresh" && first.method === endpoint.remembered && !first.failure.blamesClient;
  const most = isBelieved
    ? first
    : heard.reduce((best, next) => (next.failure.telling > best.failure.telling ? next : best), heard[0] ?? first);
  const failure = usedUp(heard, most, endpoint, grant) ?? most.failure;
  const list = attempts.map((each) => `${METHOD_NAMES[each.method]}: ${heard.includes(each) ? each.failure.summary : "refused"}`);
  const isClientRefused = failure.blamesClient === true;
  const hasColon = isClientRefused && endpoint.client.clientSecret?.includes(":") && attempts.some(({ method }) => isBasic(method));
  const colon = hasColon
    ? "The client secret contains a colon, which some servers misread in HTTP Basic. Let the provider issue one without."
    : "";
  const isTyped = isClientRefused && endpoint.client.registration === undefined;
  return new TokenRequestError(
    isTyped ? "credentials-refused" : grant.kind === "refresh" ? "refresh-failed" : "token-exchange-failed",
    failure.message,
    {
      hint: [failure.hint, colon, attempts.length > 1 ? `Tried: ${list.join("; ")}.` : ""].filter(Boolean).join(" "),
      nextStep: failure.nextStep,
      configPath: configPathOf(endpoint.configRoot, failure),
      diagnosis: failure.diagnosis,
      summary: failure.summary,
      isClientRefused,
      isGrantRefused: failure.verdict === "grant",
      isResponseLost: attempts.some((each) => each.failure.verdict === "lost"),
    },
  );
}

/**
 * Returns the failure to report if a refused method used up the code, as with some providers. The secret may be wrong, or right with
 * another method.
 * Returns undefined if no method was refused.
 */
function usedUp(
  heard: readonly Attempt[],
  last: Attempt,
  { tokenUrl, auth, client }: TokenEndpoint,
  grant: Grant,
): TokenFailure | undefined {
  const refusedAttempt = heard.find(({ failure }) => failure.blamesClient);
  if (grant.kind !== "code" || last.failure.verdict !== "grant" || refusedAttempt === undefined) return undefined;
  if (client.registration !== undefined) return refusedAttempt.failure;
  const isPinned = auth.credentialsLocation !== undefined && auth.credentialsLocation !== "Automatic";
  const location = isPinned ? undefined : LOCATIONS[last.method];
  const explanation = explain({
    phase: grant.kind,
    auth,
    signIn: {
      client: "confidential",
      address: tokenUrl,
      usedUpBy: {
        refusedMethod: METHOD_NAMES[refusedAttempt.method],
        refusal: refusedAttempt.failure.summary,
        lastMethod: METHOD_NAMES[last.method],
        ...defined({ location }),
      },
    },
  });
  if (explanation === undefined) throw new Error("a code that was used up has a diagnosis");
  return {
    ...refusedAttempt.failure,
    diagnosis: explanation.id,
    message: `${new URL(tokenUrl).host} refused to issue a token, because ${explanation.reason}.`,
    hint: `${refusedAttempt.failure.hint} ${explanation.advice}`,
  };
}

async function attempt(
  endpoint: TokenEndpoint,
  grant: Grant,
  method: ClientMethod,
): Promise<{ tokenResponse: TokenResponse } | TokenFailure> {
  const server: oauth.AuthorizationServer = { issuer: new URL(endpoint.tokenUrl).origin, token_endpoint: endpoint.address };
  const client: oauth.Client = { client_id: endpoint.client.clientId };
  let normalised: NormalisedResponse | undefined;
  const secrets = [...collectRequestSecrets(endpoint, grant)];
  // Masks all texts that are stored or shown beside the tokens: a response may repeat the request's secrets under any name.
  const redactor = createRedactor(secrets);
  const signal = withinTime(endpoint.timeout ?? DEADLINE, endpoint.signal);
  const options = {
    [oauth.allowInsecureRequests]: endpoint.address.startsWith("http:"),
    signal,
    additionalParameters: additionalParameters(endpoint.auth, grant),
    [oauth.customFetch]: async (url: string, init: oauth.CustomFetchOptions<string, unknown>) => {
      const headers: Record<string, string> = { ...init.headers, accept: "application/json" };
      let body = String(init.body ?? "");
      if (isJson(method)) {
        headers["content-type"] = "application/json";
        body = JSON.stringify(Object.fromEntries(new URLSearchParams(body)));
      }
      const pendingResponse = endpoint.fetch(url, { method: init.method, headers, body, redirect: "manual", credentials: "omit", signal });
      const response = await abortable(pendingResponse, signal);
      if (response.status >= 300 && response.status < 400) {
        endpoint.record?.(redirectIn(response, endpoint.tokenUrl, redactor));
        throw new RedirectRefused(response);
      }
      normalised = await abortable(normaliseTokenResponse(response, endpoint.auth, grant.kind === "refresh"), signal);
      secrets.push(...[normalised.raw.access_token, normalised.raw.refresh_token].filter((token) => typeof token === "string"));
      for (const secret of secrets) redactor.add(secret);
      endpoint.record?.(exchangeIn(normalised, endpoint.tokenUrl, redactor));
      return normalised.response;
    },
  };
  try {
    const tokens = await ask(server, client, authenticationBy(method, endpoint.client), grant, options);
    const { access_token: accessToken, refresh_token: newToken, expires_in: expiresIn, scope } = tokens;
    const issuedAt = endpoint.now();
    // RFC 6749, section 6: without a new refresh token, the old one stays valid.
    const refreshToken = newToken ?? (grant.kind === "refresh" ? grant.refreshToken : undefined);
    // This scope requests a refresh token (OpenID Connect Core, section 11). Some providers grant it and omit its name from the response.
    const offlineAccess = refreshToken !== undefined && endpoint.auth.scopes?.includes(OFFLINE_ACCESS) ? OFFLINE_ACCESS : "";
    return {
      tokenResponse: {
        method,
        raw: normalised?.raw ?? {},
        members: selectPrintableNames(Object.keys(normalised?.raw ?? {})).filter((name) => !redactor.finds(name)),
        ...defined({ scopesGranted: scope === undefined ? undefined : scopesIn(`${scope} ${offlineAccess}`, redactor) }),
        credential: {
          kind: "oauth2",
          accessToken,
          ...defined({ refreshToken }),
          issuedAt,
          ...defined({ tokenType: tokenTypeIn(normalised, redactor) }),
          ...(expiresIn === undefined ? {} : { expiresAt: issuedAt + expiresIn * 1000 }),
        },
      },
    };
  } catch (error) {
    if (endpoint.signal?.aborted) throw error;
    return failureOf(error, normalised, {
      tokenUrl: endpoint.tokenUrl,
      phase: grant.kind,
      auth: endpoint.auth,
      client:
        endpoint.client.registration !== undefined ? "registered" : endpoint.client.clientSecret === undefined ? "public" : "confidential",
      secrets,
      provider: endpoint.provider ?? {},
      ...defined({ redirectUri: grant.kind === "code" ? grant.redirectUri : undefined }),
    });
  }
}

/** Characters of a scope, and scopes of an account, that are stored. */
const LONGEST_SCOPE = 200;
const MOST_SCOPES = 500;

/** Returns the granted scopes. They are stored beside the account in plain text, so a scope that contains a secret is dropped. */
function scopesIn(scope: string, redactor: Redactor): readonly string[] {
  const names = new Set(scope.split(/[ ,;]+/).filter((name) => name !== "" && name.length <= LONGEST_SCOPE));
  return [...names].slice(0, MOST_SCOPES).filter((name) => !redactor.finds(name));
}

/** Returns the token's type if it is a word that may be a prefix other than Bearer. The platform ignores it. */
function tokenTypeIn(response: NormalisedResponse | undefined, redactor: Redactor): string | undefined {
  const type = response?.raw.token_type;
  return typeof type === "string" && /^(?!bearer$)[a-z][\w-]{1,19}$/i.test(type) && !redactor.finds(type) ? type : undefined;
}

function redirectIn({ status, headers }: Response, tokenUrl: string, redactor: Redactor): TokenExchange {
  const location = headers.get("location") ?? "";
  const target = URL.canParse(location, tokenUrl) ? new URL(location, tokenUrl) : undefined;
  const redirect = target?.protocol === "https:" ? `${target.origin}${target.pathname}` : undefined;
  return { status, addresses: [], ...(redirect === undefined || redactor.finds(redirect) ? {} : { redirect }) };
}

function exchangeIn({ status, text, raw, tokenIn: object }: NormalisedResponse, tokenUrl: string, redactor: Redactor): TokenExchange {
  const addresses = Object.entries(raw).flatMap(([name, value]) => {
    // A value without https:// may be a token: tokens have dots like hosts.
    if (typeof value !== "string" || !value.startsWith("https://") || endpointProblem(value) !== undefined) return [];
    const { host } = new URL(normaliseEndpoint(value));
    return host === new URL(tokenUrl).host || selectPrintableNames([name]).length === 0 || redactor.finds(`${name} ${host}`)
      ? []
      : [{ name, host }];
  });
  const tokenIn = object === undefined || redactor.finds(object) ? undefined : object;
  return { status, addresses, ...defined({ isPage: isWebPage(text) || undefined, tokenIn }) };
}

/** Returns the secrets of the request, and the earlier ones that the provider knows. */
function collectRequestSecrets(endpoint: TokenEndpoint, grant: Grant): readonly string[] {
  const own = grant.kind === "refresh" ? [grant.refreshToken] : grant.kind === "code" ? [grant.callback.get("code"), grant.verifier] : [];
  return [endpoint.client.clientSecret, endpoint.replaces, ...own].filter((secret) => typeof secret === "string");
}

/** Only a client without a user names its scopes here; a user granted them before (RFC 6749, section 4.4.2). */
const scopesOfClient = (auth: AuthenticationDefinition, { kind }: Grant) => (kind === "client-credentials" ? scopeParameter(auth) : {});

/** How each field enters the request. */
const PARAMETERS: Readonly<
  Record<FieldWith<"token request">, (auth: AuthenticationDefinition, grant: Grant) => Readonly<Record<string, string>>>
> = { scopes: scopesOfClient, scopeDelimiter: scopesOfClient, scopeParamName: scopesOfClient, resource: resourceParameter };

const additionalParameters = (auth: AuthenticationDefinition, grant: Grant): Record<string, string> =>
  Object.assign({}, ...Object.values(PARAMETERS).map((enter) => enter(auth, grant)));

type RequestOptions = oauth.TokenEndpointRequestOptions & { readonly additionalParameters: Record<string, string> };

async function ask(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authenticate: oauth.ClientAuth,
  grant: Grant,
  options: RequestOptions,
): Promise<oauth.TokenEndpointResponse> {
  switch (grant.kind) {
    case "code": {
      const validated = oauth.validateAuthResponse(server, client, grant.callback, grant.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticate,
        validated,
        grant.redirectUri,
        grant.verifier ?? oauth.nopkce,
        options,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    }
    case "refresh":
      return oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, authenticate, grant.refreshToken, options),
      );
    case "client-credentials":
      return oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, authenticate, options.additionalParameters, options),
      );
  }
}
