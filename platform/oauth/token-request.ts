// The token endpoint: exchange, client credentials and refresh (RFC 6749, sections 4.1.3, 4.4.2 and 6) with whichever client
// authentication the provider takes. Invariants: the code and the secrets go to the configuration's tokenUrl only; its redirects are refused.
import * as oauth from "oauth4webapi";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials, OAuth2Credential } from "../credential.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { abortable } from "../send-once.ts";
import { type Failure, failureOf } from "./token-failure.ts";
import { type NormalisedResponse, normaliseTokenResponse } from "./token-response.ts";

/** How client ID and secret travel: a form body, HTTP Basic, a JSON body, or no secret at all. */
export const CLIENT_METHODS = ["form", "basic", "json", "none"] as const;
export type ClientMethod = (typeof CLIENT_METHODS)[number];

export interface TokenEndpoint {
  readonly auth: AuthenticationDefinition;
  /** Where the configuration stands, for error links: `userAuthentication` or `systemAuthentication`. */
  readonly configRoot: string;
  /** The logical token URL, absolute. */
  readonly tokenUrl: string;
  /** Where it is really sent: the same, or the sandbox. */
  readonly address: string;
  readonly client: ClientCredentials;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /** The method to begin with. */
  readonly remembered?: ClientMethod;
  /** Milliseconds for one request; 30,000 by default. */
  readonly timeout?: number;
  /** Given the method that the next sign-in begins with, where a failed attempt may have used up the code. */
  remember?(method: ClientMethod): Promise<void>;
}

export interface TokenAnswer {
  readonly credential: OAuth2Credential;
  readonly method: ClientMethod;
  readonly raw: Readonly<Record<string, unknown>>;
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

const DEADLINE = 30_000;

/** Asks for a token, trying the client authentication methods in order. Throws token-exchange-failed with what each attempt got. */
export async function requestToken(endpoint: TokenEndpoint, grant: Grant): Promise<TokenAnswer> {
  const attempts: string[] = [];
  let first: Failure | undefined;
  let last: Failure | undefined;
  for (const method of methodsFor(endpoint)) {
    const outcome = await attempt(endpoint, grant, method);
    if ("answer" in outcome) return outcome.answer;
    first ??= outcome;
    last = outcome;
    attempts.push(`${METHOD_NAMES[method]}: ${outcome.summary}`);
    if (!outcome.otherMethodMayHelp) {
      // The attempt before this one may have used up the code, so that this method was never really tried.
      if (grant.kind === "code" && attempts.length > 1) await endpoint.remember?.(method);
      break;
    }
  }
  if (first === undefined || last === undefined)
    throw new PackAuthError("credentials-missing", "There is no client ID.", { hint: "Add OAuth credentials first." });
  // Where every way was refused, the standard's own tells why: the others may be refused for being others.
  const telling = last.otherMethodMayHelp ? first : last;
  throw new PackAuthError(grant.kind === "refresh" ? "refresh-failed" : "token-exchange-failed", telling.message, {
    hint: [telling.hint, attempts.length > 1 ? `Tried: ${attempts.join("; ")}.` : ""].filter(Boolean).join(" "),
    configPath: `${endpoint.configRoot}.${telling.field}`,
    // Its summary is the provider's code.
    cause: telling,
  });
}

const METHOD_NAMES: Readonly<Record<ClientMethod, string>> = {
  form: "form body",
  basic: "HTTP Basic",
  json: "JSON body",
  none: "no secret",
};

/** remembered → form → Basic → JSON; `credentialsLocation` pins one (sdk-facts 5). */
function methodsFor(endpoint: TokenEndpoint): readonly ClientMethod[] {
  if (endpoint.client.clientSecret === undefined) return ["none"];
  if (endpoint.auth.credentialsLocation === "Body") return ["form"];
  if (endpoint.auth.credentialsLocation === "AuthorizationHeader") return ["basic"];
  const order: ClientMethod[] = ["form", "basic", "json"];
  // Since then a secret may have been added.
  const first = order.filter((method) => method === endpoint.remembered);
  return [...first, ...order.filter((method) => method !== endpoint.remembered)];
}

async function attempt(endpoint: TokenEndpoint, grant: Grant, method: ClientMethod): Promise<{ answer: TokenAnswer } | Failure> {
  const server: oauth.AuthorizationServer = { issuer: new URL(endpoint.tokenUrl).origin, token_endpoint: endpoint.address };
  const client: oauth.Client = { client_id: endpoint.client.clientId };
  const secret = endpoint.client.clientSecret ?? "";
  const authenticate =
    method === "basic" ? oauth.ClientSecretBasic(secret) : method === "none" ? oauth.None() : oauth.ClientSecretPost(secret);
  let normalised: NormalisedResponse | undefined;
  const deadline = AbortSignal.timeout(endpoint.timeout ?? DEADLINE);
  const signal = endpoint.signal === undefined ? deadline : AbortSignal.any([endpoint.signal, deadline]);
  const options = {
    [oauth.allowInsecureRequests]: endpoint.address.startsWith("http:"),
    signal,
    ...(endpoint.auth.resource === undefined ? {} : { additionalParameters: { resource: endpoint.auth.resource } }),
    [oauth.customFetch]: async (url: string, init: oauth.CustomFetchOptions<string, unknown>) => {
      const headers: Record<string, string> = { ...init.headers, accept: "application/json" };
      let body = String(init.body ?? "");
      if (method === "json") {
        headers["content-type"] = "application/json";
        body = JSON.stringify(Object.fromEntries(new URLSearchParams(body)));
      }
      const sent = endpoint.fetch(url, { method: init.method, headers, body, redirect: "manual", credentials: "omit", signal });
      const response = await abortable(sent, signal);
      if (response.status >= 300 && response.status < 400) {
        throw new PackAuthError(
          "token-exchange-failed",
          `The token endpoint answers with a redirect (${response.status}), which could take the secret elsewhere; it was not followed.`,
          {
            hint: "Put the final address into tokenUrl.",
            configPath: `${endpoint.configRoot}.tokenUrl`,
          },
        );
      }
      normalised = await abortable(normaliseTokenResponse(response, endpoint.auth), signal);
      return normalised.response;
    },
  };
  try {
    const tokens = await ask(server, client, authenticate, grant, endpoint, options);
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = tokens;
    return {
      answer: {
        method,
        raw: normalised?.raw ?? {},
        ...(scope === undefined ? {} : { scopesGranted: scope.split(/[ ,;]+/).filter(Boolean) }),
        credential: {
          kind: "oauth2",
          accessToken,
          // RFC 6749, section 6: where no new refresh token comes, the old one stays.
          ...(refreshToken !== undefined ? { refreshToken } : grant.kind === "refresh" ? { refreshToken: grant.refreshToken } : {}),
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
      secrets: secretsSent(endpoint, grant),
      ...(grant.kind === "code" ? { redirectUri: grant.redirectUri } : {}),
    });
  }
}

function secretsSent(endpoint: TokenEndpoint, grant: Grant): readonly string[] {
  const own = grant.kind === "refresh" ? [grant.refreshToken] : grant.kind === "code" ? [grant.callback.get("code"), grant.verifier] : [];
  return [endpoint.client.clientSecret, ...own].filter((secret) => typeof secret === "string");
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
