// The error translator: every code a provider may give, in each phase, with its own text, its field of the configuration and what to
// try; and what stands below HTTP.
import assert from "node:assert/strict";
import { signInWithBrowser } from "../../../platform/connect/flows/authorization-code.ts";
import { explainNetwork } from "../../../platform/diagnosis/network-words.ts";
import type { OAuthPhase } from "../../../platform/diagnosis/oauth-codes.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { type Grant, requestToken } from "../../../platform/oauth/token-request.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth as definition } from "../../support/broker.ts";
import { explainRefusal } from "../../support/explain-refusal.ts";
import { flowContext } from "../../support/flow-context.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

const REDIRECT = "http://localhost:3000/oauth";
const auth = (more: Partial<AuthenticationDefinition> = {}) => definition("OAuth2", { scopes: ["read", "write"], ...more });

const GRANTS: Readonly<Record<"code" | "refresh" | "client-credentials", Grant>> = {
  code: { kind: "code", callback: new URLSearchParams({ code: "the-code", state: "s" }), state: "s", redirectUri: REDIRECT },
  refresh: { kind: "refresh", refreshToken: "the-refresh-token" },
  "client-credentials": { kind: "client-credentials" },
};

describe("OAuth error messages", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  async function refusalOf(
    response: TokenServerResponse,
    kind: keyof typeof GRANTS = "code",
    more: Partial<AuthenticationDefinition> = {},
  ): Promise<PackAuthError> {
    server.responses = [response];
    const tokenRequest = requestToken(
      {
        auth: auth(more),
        configRoot: "userAuthentication",
        tokenUrl: `${server.base}/token`,
        address: `${server.base}/token`,
        client: { clientId: "client", clientSecret: "client-secret" },
        fetch: (url, init) => fetch(url, init),
        now: Date.now,
        remember: async () => {},
      },
      GRANTS[kind],
    );
    return tokenRequest.then(
      () => assert.fail("it was not refused"),
      (error: unknown) => error as PackAuthError,
    );
  }

  const json = (error: string, description?: string, more: Readonly<Record<string, unknown>> = {}): TokenServerResponse => ({
    status: 400,
    body: JSON.stringify({ error, ...(description === undefined ? {} : { error_description: description }), ...more }),
  });

  const token: readonly (readonly [
    what: string,
    response: TokenServerResponse,
    expected: {
      message: RegExp;
      hint: RegExp;
      field?: string;
      kind?: keyof typeof GRANTS;
      auth?: Partial<AuthenticationDefinition>;
      code?: string;
    },
  ])[] = [
    [
      "invalid_client",
      json("invalid_client", "Client authentication failed"),
      {
        message: /because the client ID or secret is wrong\. Its answer: invalid_client — “Client authentication failed”\.$/,
        hint: /Copy the client ID and secret again.*Tried: form body: invalid_client; HTTP Basic: invalid_client; JSON body: refused\.$/s,
        code: "credentials-refused",
      },
    ],
    [
      "invalid_client with a pinned credentialsLocation",
      json("invalid_client"),
      {
        message: /because the client ID or secret is wrong, or credentialsLocation Body is\. Its answer: invalid_client\.$/,
        hint: /try another credentialsLocation than Body/,
        code: "credentials-refused",
        field: "credentialsLocation",
        auth: { credentialsLocation: "Body" },
      },
    ],
    [
      "invalid_grant of a code",
      json("invalid_grant", "Code expired"),
      {
        message: /because the code is expired, was used before, or was made for another redirect address.*: invalid_grant — “Code expired”/,
        hint: /compare the registered redirect address with http:\/\/localhost:3000\/oauth/,
      },
    ],
    [
      "invalid_grant of a refresh token",
      json("invalid_grant", "Token has been revoked"),
      {
        message:
          /because the refresh token is expired, was revoked, or was used before\. Its answer: invalid_grant — “Token has been revoked”/,
        hint: /^Sign in again/,
        kind: "refresh",
      },
    ],
    [
      "redirect_uri_mismatch",
      json("redirect_uri_mismatch", "Bad Request"),
      {
        message:
          /because the redirect address http:\/\/localhost:3000\/oauth is not registered for this application\. Its answer: redirect_uri_mismatch/,
        hint: /Register http:\/\/localhost:3000\/oauth at the provider, exactly like this/,
      },
    ],
    [
      "a redirect address that only the description names",
      json("invalid_grant", "The redirect_uri does not match"),
      {
        message: /not registered.*: invalid_grant — “The redirect_uri does not match”/,
        hint: /Register http:\/\/localhost:3000\/oauth/,
      },
    ],
    [
      "invalid_scope",
      json("invalid_scope", "Unknown scope: write"),
      {
        message:
          /because it does not know one of the scopes, or does not allow it for this application\. Its answer: invalid_scope — “Unknown scope: write”/,
        hint: /Asked for: read, write, joined by “,” as user_scope/,
        field: "scopes",
        auth: { scopeDelimiter: ",", scopeParamName: "user_scope" },
      },
    ],
    [
      "unauthorized_client",
      json("unauthorized_client"),
      {
        message:
          /because the client ID or secret is wrong, or the application may not use client credentials\. Its answer: unauthorized_client/,
        hint: /allow client credentials for the application/,
        code: "credentials-refused",
        kind: "client-credentials",
      },
    ],
    [
      "unsupported_grant_type",
      json("unsupported_grant_type"),
      { message: /because tokenUrl does not offer the authorization code grant/, hint: /Check tokenUrl/, field: "tokenUrl" },
    ],
    [
      "invalid_request",
      json("invalid_request", "Missing parameter: audience"),
      {
        message: /because tokenUrl demands the parameter audience, which the platform does not send.*“Missing parameter: audience”/,
        hint: /^Set a default audience for the application at the provider/,
      },
    ],
    [
      "invalid_request of a refresh token, as LemonLDAP::NG says it of one that it does not know",
      json("invalid_request"),
      {
        message: /because the refresh token is expired or was revoked, or a parameter that tokenUrl expects is missing/,
        hint: /^Sign in again\. If this happens again, compare tokenUrl/,
        field: "tokenUrl",
        kind: "refresh",
      },
    ],
    [
      "invalid_request of a refresh, with the parameter that is missing",
      json("invalid_request", "Missing parameter: audience"),
      {
        message: /because tokenUrl demands the parameter audience/,
        hint: /^Set a default audience/,
        kind: "refresh",
      },
    ],
    [
      "invalid_target",
      json("invalid_target"),
      {
        message: /does not know the resource https:\/\/api\.example/,
        hint: /Compare resource/,
        field: "resource",
        auth: { resource: "https://api.example" },
      },
    ],
    [
      "server_error",
      json("server_error"),
      { message: /because the server has an internal error\. Its answer: server_error/, hint: /status page/ },
    ],
    ["temporarily_unavailable", json("temporarily_unavailable"), { message: /because it is too busy/, hint: /Try again later/ }],
    [
      "PKCE that the provider demands",
      json("invalid_request", "code_challenge required"),
      {
        message: /because it demands PKCE \(RFC 7636\), and useProofKeyForCodeExchange is not set/,
        hint: /useProofKeyForCodeExchange: true/,
        field: "useProofKeyForCodeExchange",
      },
    ],
    [
      "a PKCE method that the provider does not take",
      json("invalid_grant", "PKCE verification failed"),
      {
        message: /does not accept the challenge of pkceChallengeMethod plain/,
        hint: /other pkceChallengeMethod than plain/,
        field: "pkceChallengeMethod",
        auth: { useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" },
      },
    ],
    [
      "GitHub's own code for a wrong secret",
      { body: '{"error":"incorrect_client_credentials","error_description":"The client_id and/or client_secret passed are incorrect."}' },
      {
        message: /the client ID or secret is wrong\. Its answer: incorrect_client_credentials — “The client_id and\/or client_secret/,
        hint: /Add OAuth credentials/,
        code: "credentials-refused",
      },
    ],
    [
      "a code that nobody knows",
      json("E-4711", "Nope"),
      { message: /refused to issue a token\. Its answer: E-4711 — “Nope”/, hint: /provider's documentation/, field: "tokenUrl" },
    ],
    [
      "a page that explains it",
      json("invalid_grant", undefined, { error_uri: "https://docs.example/e/1" }),
      { message: /invalid_grant\.$/, hint: /explains it at https:\/\/docs\.example\/e\/1/ },
    ],
    [
      "no page where the address is none",
      json("invalid_grant", undefined, { error_uri: "javascript:alert(1)//https://docs.example/e/1" }),
      { message: /invalid_grant\.$/, hint: /^(?!.*javascript)/ },
    ],
    [
      "a login page with status 200",
      {
        type: "text/html",
        body: "<!DOCTYPE html><html><head><title>Log in</title><script>var a = 1</script></head><body>Welcome back</body></html>",
      },
      {
        message: /^tokenUrl is an address for browsers: 127.* answered with a web page \(status 200\)\. It says: “Log in Welcome back”\.$/,
        hint: /Compare tokenUrl/,
        field: "tokenUrl",
      },
    ],
    [
      "404 as a page",
      { status: 404, type: "text/html", body: "<html><title>Not Found</title></html>" },
      {
        message: /because there is no token endpoint at tokenUrl\. Its answer: status 404 — “Not Found”/,
        hint: /a slash at the end/,
        field: "tokenUrl",
      },
    ],
    [
      "429",
      { status: 429, body: '{"message":"slow down"}' },
      { message: /received too many requests.*status 429 — “slow down”/, hint: /Wait a little/ },
    ],
    ["502", { status: 502, body: "" }, { message: /internal error\. Its answer: status 502/, hint: /Try again later/ }],
    [
      "a token at another place of the answer",
      { body: '{"data":{"access_token":"the-access-token"}}' },
      {
        message: /^The token is in the object "data" of the answer, and nestedResponseKey is dat\.$/,
        hint: /Set nestedResponseKey: "data"/,
        field: "nestedResponseKey",
        auth: { nestedResponseKey: "dat" },
      },
    ],
  ];
  for (const [what, response, expected] of token) {
    it(`RFC 6749, 5.2: ${what} at the token endpoint is reported with cause, remedy and field`, async () => {
      const error = await refusalOf(response, expected.kind, expected.auth);
      const usual = expected.kind === "refresh" ? "refresh-failed" : "token-exchange-failed";
      assert.equal(error.code, expected.code ?? usual);
      assert.match(error.message, expected.message);
      assert.match(error.hint ?? "", expected.hint);
      assert.equal(error.configPath, expected.field === undefined ? "userAuthentication" : `userAuthentication.${expected.field}`);
      assert.ok(!/client-secret|the-code|the-refresh-token|the-access-token/.test(`${error.message} ${error.hint}`));
    });
  }

  const authorization: readonly (readonly [code: string, description: string, message: RegExp, field?: string])[] = [
    ["access_denied", "The user said no", /^The access was denied\. Its answer: access_denied — “The user said no”\.$/],
    ["invalid_scope", "", /refused the sign-in, because it does not know one of the scopes.* Its answer: invalid_scope\.$/, "scopes"],
    ["unauthorized_client", "", /the application may not use the authorization code grant/],
    [
      "unsupported_response_type",
      "",
      /because authorizationUrl does not offer the authorization code grant \(response_type=code\)/,
      "authorizationUrl",
    ],
    [
      "invalid_request",
      "bad prompt",
      /a parameter is missing, unknown or sent twice \(see additionalParams\)\. Its answer: invalid_request — “bad prompt”/,
      "additionalParams",
    ],
    ["invalid_request", "nonce required", /the parameter nonce is missing from additionalParams/, "additionalParams"],
    ["invalid_request", "Missing required parameter: audience", /the parameter audience is missing/, "additionalParams"],
    ["invalid_request", "The request is missing a required parameter.", /unknown or sent twice/, "additionalParams"],
    ["invalid_request", "code challenge required", /demands PKCE/, "useProofKeyForCodeExchange"],
    ["invalid_request", "Pushed Authorization Request must be used", /because it demands a pushed authorization request \(RFC 9126\)/],
    ["server_error", "", /has an internal error/],
    ["temporarily_unavailable", "", /too busy/],
    ["redirect_uri_mismatch", "", /redirect address http:\/\/localhost:\d+\/oauth is not registered/],
    ["interaction_required", "", /has to ask the user something/, "additionalParams"],
    ["login_required", "", /the user is not signed in there/, "additionalParams"],
    ["what_is_this", "Who knows", /refused the sign-in\. Its answer: what_is_this — “Who knows”/, "authorizationUrl"],
  ];
  for (const [code, description, message, field] of authorization) {
    it(`RFC 6749, 4.1.2.1: ${code}${description === "" ? "" : ` (${description})`} at the authorization page is reported with its field`, async () => {
      server.callback = (query) => ({ error: code, error_description: description, state: query.get("state") ?? "" });
      await assert.rejects(
        async () =>
          signInWithBrowser(
            flowContext(server, {
              auth: auth({
                authorizationUrl: server.authorizationUrl,
                tokenUrl: server.tokenUrl,
                additionalParams: { prompt: "none" },
              }),
            }),
          ),
        (error: PackAuthError) => {
          assert.match(error.message, message);
          assert.equal(error.code, "authorization-denied");
          assert.equal(error.configPath, field === undefined ? "userAuthentication" : `userAuthentication.${field}`);
          return (error.hint ?? "").length > 10;
        },
      );
      assert.equal(server.received.length, 0, "nothing was asked of the token endpoint");
    });
  }

  it("RFC 7009, 2.2.1, RFC 7591, 3.2.2: every code has its own text", () => {
    const codes: readonly (readonly [OAuthPhase, string])[] = [
      ["revocation", "unsupported_token_type"],
      ["registration", "invalid_redirect_uri"],
      ["registration", "invalid_client_metadata"],
    ];
    const texts = codes.map(([phase, code]) => explainRefusal({ phase, code, auth: auth() }));
    for (const text of texts) assert.ok(text !== undefined && text.advice.length > 10);
    assert.equal(new Set(texts.map((text) => text?.reason)).size, codes.length);
    assert.equal(explainRefusal({ phase: "code", code: "constructor", auth: auth() }), undefined);
  });

  it("the first sentence names the field of configPath for every code in every phase", () => {
    const codes =
      "access_denied invalid_client invalid_grant redirect_uri_mismatch invalid_scope unauthorized_client unsupported_grant_type unsupported_response_type invalid_request invalid_target server_error temporarily_unavailable invalid_token insufficient_scope unsupported_token_type invalid_redirect_uri invalid_client_metadata login_required consent_required interaction_required account_selection_required http_400 http_401 http_403 http_404 http_405 http_415 http_429 http_500";
    const phases: readonly OAuthPhase[] = [
      "authorization",
      "code",
      "refresh",
      "client-credentials",
      "revocation",
      "registration",
      "resource",
    ];
    const configurations = [
      auth(),
      auth({ additionalParams: { prompt: "none" }, resource: "https://api.example", scopeDelimiter: ",", credentialsLocation: "Body" }),
      auth({ useProofKeyForCodeExchange: true }),
    ];
    for (const code of codes.split(" "))
      for (const phase of phases)
        for (const config of configurations)
          for (const description of [
            undefined,
            "code_challenge",
            "redirect_uri",
            "unknown scope read,write",
            "response_type",
            "grant type",
          ])
            for (const client of ["confidential", "public", "registered"] as const) {
              const text = explainRefusal({ phase, code, auth: config, client, ...(description === undefined ? {} : { description }) });
              if (text === undefined) continue;
              assert.ok(text.field === undefined || text.reason.includes(text.field), `${phase}, ${code}: ${text.reason} (${text.field})`);
              if (text.blamesClient && phase !== "authorization") assert.match(text.reason, /client ID/);
              assert.match(text.advice, /[.]$/, "a sentence comes behind it");
            }
  });

  const network: readonly (readonly [error: unknown, message: RegExp, hint: RegExp])[] = [
    [fetchFailure("ENOTFOUND"), /the name api\.example does not resolve/, /Check the host in tokenUrl, and the network/],
    [fetchFailure("ECONNREFUSED"), /refuses connections/, /Check tokenUrl, and whether the server is running/],
    [fetchFailure("CERT_HAS_EXPIRED"), /certificate of api\.example has expired/, /clock/],
    [fetchFailure("ERR_TLS_CERT_ALTNAME_INVALID"), /certificate is not made for api\.example/, /Check the host/],
    [fetchFailure("DEPTH_ZERO_SELF_SIGNED_CERT"), /certificate of api\.example is not trusted/, /PEM files/],
    [fetchFailure("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), /not trusted .*packAuth\.trustedCertificates.*NODE_EXTRA_CA_CERTS/, /PEM files/],
    [fetchFailure("EPROTO"), /no secure connection/, /plain http/],
    [fetchFailure("UND_ERR_CONNECT_TIMEOUT"), /did not answer in time/, /check tokenUrl and the network/],
    [new DOMException("late", "TimeoutError"), /did not answer in time/, /Try again/],
    [
      fetchFailure("UND_ERR_ABORTED", "Proxy response (407) !== 200 when HTTP Tunneling"),
      /the proxy did not let the request to api\.example through/,
      /HTTPS_PROXY/,
    ],
  ];
  for (const [error, message, hint] of network) {
    it(`a network failure has its own message: ${message.source.replaceAll("\\", "")}`, () => {
      const { reason, advice } = explainNetwork(error, "api.example", { phase: "code" });
      assert.match(`${reason} ${advice}`, message);
      assert.match(advice, hint);
    });
  }
});

function fetchFailure(code: string, message = "it failed"): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}
