// The token endpoint: exchange, client credentials and refresh (RFC 6749, sections 4.1.3, 4.4.2 and 6) with whichever client
// authentication the provider takes. Invariants: the code and the secrets go to the configuration's tokenUrl only; its redirects are refused.
import * as oauth from "oauth4webapi";
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { PackAuthError, type PackAuthErrorOptions } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { abortable, withinTime } from "../network/abortable.ts";
import { endpointProblem, normaliseEndpoint } from "../network/endpoint.ts";
import type { ClientCredentials, ClientMethod, OAuth2Credential } from "../secrets/credential.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import { authenticationBy, isBasic, LOCATIONS, METHOD_NAMES, methodsFor } from "./client-authentication.ts";
import { configPathOf } from "./error-texts.ts";
import { type Failure, failureOf, isWebPage, RedirectRefused } from "./token-failure.ts";
import { type NormalisedResponse, normaliseTokenResponse, selectPrintableNames } from "./token-response.ts";

export interface TokenEndpoint {
  readonly auth: AuthenticationDefinition;
  /** Where the configuration stands, for error links: `userAuthentication` or `systemAuthentication`. */
  readonly configRoot: string;
  /** The logical token URL, absolute. */
  readonly tokenUrl: string;
  /** Where it is really sent: the same, or the sandbox. */
  readonly address: string;
  readonly client: ClientCredentials;
  /** The access token that the new one replaces: the provider knows it, and may name it. */
  readonly replaces?: string;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /** The method to begin with. */
  readonly remembered?: ClientMethod;
  /** Milliseconds for one request; 30,000 by default. */
  readonly timeout?: number;
  /** Hears what each request was answered. */
  record?(exchange: TokenExchange): void;
  /** Given the method that the next sign-in begins with, where a failed attempt may have used up the code. */
  remember?(method: ClientMethod): Promise<void>;
}

/** What the token endpoint answered: names and addresses of its own, never a token, a code or a secret. */
export interface TokenExchange {
  readonly status: number;
  /** Where a redirect would lead, without query. */
  readonly redirect?: string;
  /** A web page came in place of an answer. */
  readonly isPage?: boolean;
  /** The object of the answer that holds the access_token, where it is in one. */
  readonly tokenIn?: string;
  /** Members that hold an https address, other than the token endpoint's own host. */
  readonly addresses: readonly { readonly name: string; readonly host: string }[];
}

export interface TokenResponse {
  readonly credential: OAuth2Credential;
  readonly method: ClientMethod;
  readonly raw: Readonly<Record<string, unknown>>;
  /** Names of its members that may be told. */
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

/** A token request that failed, with what its callers decide by. */
export class TokenRequestError extends PackAuthError {
  /** The provider does not take the client ID or the secret. */
  readonly isClientRefused: boolean;
  /** The provider does not take the code or refresh token. */
  readonly isGrantRefused: boolean;
  /** The grant was sent, and nobody knows what became of it. */
  readonly isResponseLost: boolean;
  /** The provider's own code, or a few words for what came in its place. */
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
  readonly failure: Failure;
}

/** Asks for a token, trying the client authentication methods in order. Throws TokenRequestError with what each attempt got. */
export async function requestToken(endpoint: TokenEndpoint, grant: Grant): Promise<TokenResponse> {
  const attempts: Attempt[] = [];
  for (const method of methodsFor(endpoint.client, endpoint.auth, endpoint.remembered)) {
    const outcome = await attempt(endpoint, grant, method);
    if ("tokenResponse" in outcome) return outcome.tokenResponse;
    attempts.push({ method, failure: outcome });
    if (!otherMethodMayHelp(outcome, method, endpoint, grant)) break;
  }
  if (grant.kind === "code") await rememberAfterFailure(attempts, endpoint);
  throw errorOf(attempts, endpoint, grant);
}

/** JSON is a guess, and what is remembered may have been true of another secret: others are tried after these, whatever was answered. */
function otherMethodMayHelp({ verdict, status }: Failure, method: ClientMethod, { remembered }: TokenEndpoint, grant: Grant): boolean {
  if (verdict === "client") return true;
  if (verdict === "grant" || status === undefined || status === 429 || (method !== "json" && method !== remembered)) return false;
  // A refresh token that the provider may have used up is not sent again.
  return grant.kind === "code" || (verdict === "other" && status < 500);
}

/**
 * Where a method was refused, that attempt may have used up the code: the next sign-in begins with the one that came as far as the code.
 * One that was begun with, and whose code nobody had used, gives way to the next in order, so that no pack is stuck with any.
 */
async function rememberAfterFailure(attempts: readonly Attempt[], { client, auth, remember }: TokenEndpoint): Promise<void> {
  const last = attempts.at(-1);
  if (last?.failure.verdict !== "grant") return;
  if (attempts.length > 1) await remember?.(last.method);
  else if (last.method !== "form") {
    const order = methodsFor(client, auth);
    await remember?.(order[order.indexOf(last.method) + 1] ?? "form");
  }
}

function errorOf(attempts: readonly Attempt[], endpoint: TokenEndpoint, grant: Grant): PackAuthError {
  const [first] = attempts;
  if (first === undefined) throw new Error("there is always a method");
  // What JSON is answered says nothing, unless it came as far as the grant: most servers do not read it.
  const heard = attempts.filter(({ method, failure }) => method !== "json" || failure.verdict === "grant");
  const most = heard.reduce((best, next) => (next.failure.telling > best.failure.telling ? next : best), heard[0] ?? first);
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
      configPath: configPathOf(endpoint.configRoot, failure),
      summary: failure.summary,
      isClientRefused,
      isGrantRefused: failure.verdict === "grant",
      isResponseLost: attempts.some((each) => each.failure.verdict === "lost"),
    },
  );
}

/**
 * A code that is void once a method was refused tells little: that attempt used it up, as some providers have it. The secret may be wrong,
 * or right in another place; undefined where no method was refused.
 */
function usedUp(heard: readonly Attempt[], last: Attempt, { tokenUrl, auth, client }: TokenEndpoint, grant: Grant): Failure | undefined {
  const refusedAttempt = heard.find(({ failure }) => failure.blamesClient);
  if (grant.kind !== "code" || last.failure.verdict !== "grant" || refusedAttempt === undefined) return undefined;
  if (client.registration !== undefined) return refusedAttempt.failure;
  const [method, location] = [METHOD_NAMES[last.method], LOCATIONS[last.method]];
  const isPinned = auth.credentialsLocation !== undefined && auth.credentialsLocation !== "Automatic";
  return {
    ...refusedAttempt.failure,
    message: `${new URL(tokenUrl).host} refused to issue a token, because the client ID or secret is wrong, or it accepts them as ${method} alone. It said ${refusedAttempt.failure.summary} to ${METHOD_NAMES[refusedAttempt.method]}, and the code was used up.`,
    hint: `${refusedAttempt.failure.hint} If they are right, sign in again: the next sign-in begins with ${method}.${
      isPinned || location === undefined
        ? ""
        : ` Set credentialsLocation to ${location} then: the platform's first attempt uses up the code too.`
    }`,
  };
}

async function attempt(endpoint: TokenEndpoint, grant: Grant, method: ClientMethod): Promise<{ tokenResponse: TokenResponse } | Failure> {
  const server: oauth.AuthorizationServer = { issuer: new URL(endpoint.tokenUrl).origin, token_endpoint: endpoint.address };
  const client: oauth.Client = { client_id: endpoint.client.clientId };
  let normalised: NormalisedResponse | undefined;
  const secrets = [...collectRequestSecrets(endpoint, grant)];
  // Whatever is kept or told beside the tokens: an answer may hold what was sent to it, under any name.
  const redactor = createRedactor(secrets);
  const signal = withinTime(endpoint.timeout ?? DEADLINE, endpoint.signal);
  const options = {
    [oauth.allowInsecureRequests]: endpoint.address.startsWith("http:"),
    signal,
    ...defined({ additionalParameters: endpoint.auth.resource === undefined ? undefined : { resource: endpoint.auth.resource } }),
    [oauth.customFetch]: async (url: string, init: oauth.CustomFetchOptions<string, unknown>) => {
      const headers: Record<string, string> = { ...init.headers, accept: "application/json" };
      let body = String(init.body ?? "");
      if (method === "json") {
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
    const tokens = await ask(server, client, authenticationBy(method, endpoint.client), grant, endpoint, options);
    const { access_token: accessToken, refresh_token: newToken, expires_in: expiresIn, scope } = tokens;
    // RFC 6749, section 6: where no new refresh token comes, the old one stays.
    const refreshToken = newToken ?? (grant.kind === "refresh" ? grant.refreshToken : undefined);
    // The token is all that this scope asks for (OpenID Connect Core, section 11). Some providers grant it, and leave its name out.
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
          ...(expiresIn === undefined ? {} : { expiresAt: endpoint.now() + expiresIn * 1000, lifetime: expiresIn * 1000 }),
        },
      },
    };
  } catch (error) {
    if (endpoint.signal?.aborted) throw error;
    return failureOf(error, normalised, {
      tokenUrl: endpoint.tokenUrl,
      phase: grant.kind,
      auth: endpoint.auth,
      client: endpoint.client.registration !== undefined ? "registered" : method === "none" ? "public" : "confidential",
      secrets,
      ...defined({ redirectUri: grant.kind === "code" ? grant.redirectUri : undefined }),
    });
  }
}

/** Characters of a scope, and scopes of an account, that are kept. */
const LONGEST_SCOPE = 200;
const MOST_SCOPES = 500;

/** They are kept beside the account, where no secret may stand. */
function scopesIn(scope: string, redactor: Redactor): readonly string[] {
  const names = new Set(scope.split(/[ ,;]+/).filter((name) => name !== "" && name.length <= LONGEST_SCOPE));
  return [...names].slice(0, MOST_SCOPES).filter((name) => !redactor.finds(name));
}

function redirectIn({ status, headers }: Response, tokenUrl: string, redactor: Redactor): TokenExchange {
  const location = headers.get("location") ?? "";
  const target = URL.canParse(location, tokenUrl) ? new URL(location, tokenUrl) : undefined;
  const redirect = target?.protocol === "https:" ? `${target.origin}${target.pathname}` : undefined;
  return { status, addresses: [], ...(redirect === undefined || redactor.finds(redirect) ? {} : { redirect }) };
}

function exchangeIn({ status, text, raw, tokenIn: object }: NormalisedResponse, tokenUrl: string, redactor: Redactor): TokenExchange {
  const addresses = Object.entries(raw).flatMap(([name, value]) => {
    // What does not say that it is an address may be a token: it has dots, as a host has.
    if (typeof value !== "string" || !value.startsWith("https://") || endpointProblem(value) !== undefined) return [];
    const { host } = new URL(normaliseEndpoint(value));
    return host === new URL(tokenUrl).host || selectPrintableNames([name]).length === 0 || redactor.finds(`${name} ${host}`)
      ? []
      : [{ name, host }];
  });
  const tokenIn = object === undefined || redactor.finds(object) ? undefined : object;
  return { status, addresses, ...defined({ isPage: isWebPage(text) || undefined, tokenIn }) };
}

/** What is sent, and what the provider has from before. */
function collectRequestSecrets(endpoint: TokenEndpoint, grant: Grant): readonly string[] {
  const own = grant.kind === "refresh" ? [grant.refreshToken] : grant.kind === "code" ? [grant.callback.get("code"), grant.verifier] : [];
  return [endpoint.client.clientSecret, endpoint.replaces, ...own].filter((secret) => typeof secret === "string");
}

type RequestOptions = oauth.TokenEndpointRequestOptions & oauth.ClientCredentialsGrantRequestOptions;

async function ask(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authenticate: oauth.ClientAuth,
  grant: Grant,
  endpoint: TokenEndpoint,
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
    case "client-credentials": {
      const scopes = (endpoint.auth.scopes ?? []).join(endpoint.auth.scopeDelimiter ?? " ");
      const parameters = new URLSearchParams(scopes === "" ? {} : { [endpoint.auth.scopeParamName ?? "scope"]: scopes });
      return oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, authenticate, parameters, options),
      );
    }
  }
}
