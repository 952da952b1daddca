// The token endpoint: exchange, client credentials and refresh (RFC 6749, sections 4.1.3, 4.4.2 and 6) with whichever client
// authentication the provider takes. Invariants: the code and the secrets go to the configuration's tokenUrl only; its redirects are refused.
import * as oauth from "oauth4webapi";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials, OAuth2Credential } from "../credential.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { networkMessage } from "../network-message.ts";
import { type NormalisedResponse, normaliseTokenResponse } from "./token-response.ts";

/** How client ID and secret travel: a form body, HTTP Basic, a JSON body, or no secret at all. */
export type ClientMethod = "form" | "basic" | "json" | "none";

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
  /** The method that worked last time. */
  readonly remembered?: ClientMethod;
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
  let last: Failure | undefined;
  for (const method of methodsFor(endpoint)) {
    const outcome = await attempt(endpoint, grant, method);
    if ("answer" in outcome) return outcome.answer;
    last = outcome;
    attempts.push(`${METHOD_NAMES[method]}: ${outcome.summary}`);
    if (!outcome.otherMethodMayHelp) break;
  }
  if (last === undefined)
    throw new PackAuthError("credentials-missing", "There is no client ID.", { hint: "Add OAuth credentials first." });
  throw new PackAuthError(grant.kind === "refresh" ? "refresh-failed" : "token-exchange-failed", last.message, {
    hint: [last.hint, attempts.length > 1 ? `Tried: ${attempts.join("; ")}.` : ""].filter(Boolean).join(" "),
    configPath: `${endpoint.configRoot}.${last.field}`,
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
  return endpoint.remembered === undefined ? order : [endpoint.remembered, ...order.filter((method) => method !== endpoint.remembered)];
}

interface Failure {
  readonly message: string;
  readonly summary: string;
  readonly hint: string;
  readonly field: string;
  readonly otherMethodMayHelp: boolean;
}

async function attempt(endpoint: TokenEndpoint, grant: Grant, method: ClientMethod): Promise<{ answer: TokenAnswer } | Failure> {
  const server: oauth.AuthorizationServer = { issuer: new URL(endpoint.tokenUrl).origin, token_endpoint: endpoint.address };
  const client: oauth.Client = { client_id: endpoint.client.clientId };
  const secret = endpoint.client.clientSecret ?? "";
  const authenticate =
    method === "basic" ? oauth.ClientSecretBasic(secret) : method === "none" ? oauth.None() : oauth.ClientSecretPost(secret);
  let normalised: NormalisedResponse | undefined;
  const deadline = AbortSignal.timeout(DEADLINE);
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
      const response = await endpoint.fetch(url, { method: init.method, headers, body, redirect: "manual", credentials: "omit", signal });
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
      normalised = await normaliseTokenResponse(response, endpoint.auth);
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
          ...(expiresIn === undefined ? {} : { expiresAt: endpoint.now() + expiresIn * 1000 }),
        },
      },
    };
  } catch (error) {
    if (endpoint.signal?.aborted) throw error;
    return failureOf(error, normalised, endpoint);
  }
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

/** What the provider's codes mean here, and what to do (RFC 6749, section 5.2). */
const HINTS: Readonly<Record<string, { hint: string; field?: string }>> = {
  invalid_client: { hint: "Check the client ID and secret: Add OAuth credentials." },
  invalid_grant: {
    hint: "The code or refresh token is expired, used or made for another redirect address: sign in again, and compare the registered redirect address.",
  },
  unauthorized_client: { hint: "Allow this grant for the application at the provider." },
  unsupported_grant_type: { hint: "The provider does not offer this grant at this tokenUrl.", field: "tokenUrl" },
  invalid_scope: { hint: "Check the scopes and scopeDelimiter against the provider's documentation.", field: "scopes" },
  invalid_request: { hint: "Compare the configuration with the provider's documentation." },
  redirect_uri_mismatch: { hint: "Register the redirect address exactly as shown before the browser opened." },
  incorrect_client_credentials: { hint: "Check the client ID and secret: Add OAuth credentials." },
  bad_verification_code: { hint: "The code is expired or was used: sign in again." },
};

function failureOf(error: unknown, normalised: NormalisedResponse | undefined, endpoint: TokenEndpoint): Failure {
  const host = new URL(endpoint.tokenUrl).host;
  if (error instanceof PackAuthError)
    return { message: error.message, summary: error.message, hint: error.hint ?? "", field: "tokenUrl", otherMethodMayHelp: false };
  if (normalised === undefined) {
    const message = `The token endpoint could not be reached: ${networkMessage(error, host)}.`;
    return { message, summary: "no answer", hint: "Check tokenUrl and the network.", field: "tokenUrl", otherMethodMayHelp: false };
  }
  if (error instanceof oauth.ResponseBodyError) {
    const known = HINTS[error.error];
    const said = error.error.startsWith("http_") ? `status ${normalised.status}` : error.error;
    const words = error.error_description ?? (error.error.startsWith("http_") ? excerpt(normalised.text) : undefined);
    return {
      message: `${host} refused to give a token: ${said}${words ? ` — “${words}”` : ""}.`,
      summary: said,
      hint: known?.hint ?? "",
      field: known?.field ?? "tokenUrl",
      otherMethodMayHelp:
        /^(invalid_client|incorrect_client_credentials|unauthorized_client|invalid_request|http_40[0135]|http_415|http_422)$/.test(
          error.error,
        ),
    };
  }
  const message =
    normalised.text === ""
      ? `${host} answered with status ${normalised.status} and nothing else.`
      : `The answer of ${host} holds no access_token (status ${normalised.status}): ${excerpt(normalised.text)}`;
  return {
    message,
    summary: "no access_token",
    hint: "Check tokenUrl; if the token stands inside an object, name it with nestedResponseKey.",
    field: "tokenUrl",
    otherMethodMayHelp: false,
  };
}

/** The beginning of a text answer, without markup; never a JSON answer, which may hold half a secret. */
function excerpt(text: string): string {
  if (/^\s*[{[]/.test(text) || /(token|secret)/i.test(text)) return "(not shown: it may hold a secret)";
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 160);
}
