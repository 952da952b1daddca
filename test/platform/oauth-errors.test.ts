// The error translator: every code a provider may give, in each phase, with its own text, its field of the configuration and what to
// try; and what stands below HTTP.
import assert from "node:assert/strict";
import type { PackAuthError } from "../../platform/errors.ts";
import { signInWithBrowser } from "../../platform/flows/authorization-code.ts";
import { networkHint, networkMessage } from "../../platform/network-message.ts";
import { type OAuthPhase, oauthErrorText } from "../../platform/oauth/error-texts.ts";
import { type Grant, requestToken } from "../../platform/oauth/token-request.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { auth as definition } from "../support/broker.ts";
import { flowContext } from "../support/flow-context.ts";
import { type Answer, openTokenServer, type TokenServer } from "../support/token-server.ts";

const REDIRECT = "http://localhost:3000/oauth";
const auth = (more: Partial<AuthenticationDefinition> = {}) => definition("OAuth2", { scopes: ["read", "write"], ...more });

const GRANTS: Readonly<Record<"code" | "refresh" | "client-credentials", Grant>> = {
  code: { kind: "code", callback: new URLSearchParams({ code: "the-code", state: "s" }), state: "s", redirectUri: REDIRECT },
  refresh: { kind: "refresh", refreshToken: "the-refresh-token" },
  "client-credentials": { kind: "client-credentials" },
};

describe("Error translator", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  async function refusalOf(
    answer: Answer,
    kind: keyof typeof GRANTS = "code",
    more: Partial<AuthenticationDefinition> = {},
  ): Promise<PackAuthError> {
    server.answers = [answer];
    const asked = requestToken(
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
    return asked.then(
      () => assert.fail("it was not refused"),
      (error: unknown) => error as PackAuthError,
    );
  }

  const json = (error: string, description?: string, more: Readonly<Record<string, unknown>> = {}): Answer => ({
    status: 400,
    body: JSON.stringify({ error, ...(description === undefined ? {} : { error_description: description }), ...more }),
  });

  const token: readonly (readonly [
    what: string,
    answer: Answer,
    expected: { message: RegExp; hint: RegExp; field: string; kind?: keyof typeof GRANTS; auth?: Partial<AuthenticationDefinition> },
  ])[] = [
    [
      "invalid_client",
      json("invalid_client", "Client authentication failed"),
      {
        message:
          /because it does not know the client ID, the secret is wrong, or it wants them sent in another way: invalid_client — “Client authentication failed”/,
        hint: /Copy the client ID and secret anew.*Tried: form body: invalid_client; HTTP Basic: invalid_client; JSON body: invalid_client/s,
        field: "tokenUrl",
      },
    ],
    [
      "invalid_client with a pinned credentialsLocation",
      json("invalid_client"),
      {
        message: /invalid_client\.$/,
        hint: /try another credentialsLocation than Body/,
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
        field: "tokenUrl",
      },
    ],
    [
      "invalid_grant of a refresh token",
      json("invalid_grant", "Token has been revoked"),
      {
        message: /because the refresh token is expired, was revoked, or was used before: invalid_grant — “Token has been revoked”/,
        hint: /^Sign in again/,
        field: "tokenUrl",
        kind: "refresh",
      },
    ],
    [
      "redirect_uri_mismatch",
      json("redirect_uri_mismatch", "Bad Request"),
      {
        message: /because the redirect address is not registered for this application: redirect_uri_mismatch/,
        hint: /Register http:\/\/localhost:3000\/oauth at the provider, exactly like this/,
        field: "tokenUrl",
      },
    ],
    [
      "a redirect address that only the description names",
      json("invalid_grant", "The redirect_uri does not match"),
      {
        message: /not registered.*: invalid_grant — “The redirect_uri does not match”/,
        hint: /Register http:\/\/localhost:3000\/oauth/,
        field: "tokenUrl",
      },
    ],
    [
      "invalid_scope",
      json("invalid_scope", "Unknown scope: write"),
      {
        message:
          /because it does not know one of the scopes, or does not give it to this application: invalid_scope — “Unknown scope: write”/,
        hint: /Asked for: read, write, joined by “,” as user_scope/,
        field: "scopes",
        auth: { scopeDelimiter: ",", scopeParamName: "user_scope" },
      },
    ],
    [
      "unauthorized_client",
      json("unauthorized_client"),
      {
        message: /because the application may not use this way of signing in \(client credentials\): unauthorized_client/,
        hint: /Allow client credentials for the application/,
        field: "type",
        kind: "client-credentials",
      },
    ],
    [
      "unsupported_grant_type",
      json("unsupported_grant_type"),
      { message: /because its token address does not offer the authorization code grant/, hint: /Check tokenUrl/, field: "tokenUrl" },
    ],
    [
      "invalid_request",
      json("invalid_request", "Missing parameter: audience"),
      { message: /a parameter is missing.*“Missing parameter: audience”/, hint: /documentation/, field: "tokenUrl" },
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
      { message: /because it has a fault of its own: server_error/, hint: /status page/, field: "tokenUrl" },
    ],
    [
      "temporarily_unavailable",
      json("temporarily_unavailable"),
      { message: /because it is too busy/, hint: /Try again later/, field: "tokenUrl" },
    ],
    [
      "PKCE that the provider demands",
      json("invalid_request", "code_challenge required"),
      { message: /because it demands PKCE/, hint: /useProofKeyForCodeExchange: true/, field: "useProofKeyForCodeExchange" },
    ],
    [
      "a PKCE method that the provider does not take",
      json("invalid_grant", "PKCE verification failed"),
      {
        message: /does not take the PKCE challenge/,
        hint: /other pkceChallengeMethod than plain/,
        field: "pkceChallengeMethod",
        auth: { useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" },
      },
    ],
    [
      "GitHub's own code for a wrong secret",
      { body: '{"error":"incorrect_client_credentials","error_description":"The client_id and/or client_secret passed are incorrect."}' },
      {
        message: /does not know the client ID.*: incorrect_client_credentials — “The client_id and\/or client_secret/,
        hint: /Add OAuth credentials/,
        field: "tokenUrl",
      },
    ],
    [
      "a code that nobody knows",
      json("E-4711", "Nope"),
      { message: /refused to give a token: E-4711 — “Nope”/, hint: /provider's documentation/, field: "tokenUrl" },
    ],
    [
      "a page that explains it",
      json("invalid_grant", undefined, { error_uri: "https://docs.example/e/1" }),
      { message: /invalid_grant\.$/, hint: /explains it at https:\/\/docs\.example\/e\/1/, field: "tokenUrl" },
    ],
    [
      "no page where the address is none",
      json("invalid_grant", undefined, { error_uri: "javascript:alert(1)" }),
      { message: /invalid_grant\.$/, hint: /^(?!.*javascript)/, field: "tokenUrl" },
    ],
    [
      "a login page with status 200",
      {
        type: "text/html",
        body: "<!DOCTYPE html><html><head><title>Log in</title><script>var a = 1</script></head><body>Welcome back</body></html>",
      },
      {
        message: /answered with a web page, not with a token \(status 200\): Log in Welcome back/,
        hint: /address for browsers/,
        field: "tokenUrl",
      },
    ],
    [
      "404 as a page",
      { status: 404, type: "text/html", body: "<html><title>Not Found</title></html>" },
      { message: /status 404 — “Not Found”/, hint: /nothing takes token requests there/, field: "tokenUrl" },
    ],
    [
      "429",
      { status: 429, body: '{"message":"slow down"}' },
      { message: /status 429 — “slow down”/, hint: /wait a while/, field: "tokenUrl" },
    ],
    ["502", { status: 502, body: "" }, { message: /status 502/, hint: /fault of its own/, field: "tokenUrl" }],
    [
      "a token at another place of the answer",
      { body: '{"data":{"access_token":"the-access-token"}}' },
      {
        message: /holds no access_token \(status 200\): \(not shown: it may hold a secret\)/,
        hint: /nestedResponseKey \(now dat\)/,
        field: "nestedResponseKey",
        auth: { nestedResponseKey: "dat" },
      },
    ],
  ];
  for (const [what, answer, expected] of token) {
    it(`RFC 6749, 5.2: tells of ${what} what happened, what to try, and where it comes from`, async () => {
      const error = await refusalOf(answer, expected.kind, expected.auth);
      assert.equal(error.code, expected.kind === "refresh" ? "refresh-failed" : "token-exchange-failed");
      assert.match(error.message, expected.message);
      assert.match(error.hint ?? "", expected.hint);
      assert.equal(error.configPath, `userAuthentication.${expected.field}`);
      assert.ok(!/client-secret|the-code|the-refresh-token|the-access-token/.test(`${error.message} ${error.hint}`));
    });
  }

  const authorization: readonly (readonly [code: string, description: string, message: RegExp, field: string])[] = [
    ["access_denied", "The user said no", /^The access was denied: access_denied — “The user said no”\.$/, "authorizationUrl"],
    ["invalid_scope", "", /refused the sign-in, because it does not know one of the scopes.*: invalid_scope\.$/, "scopes"],
    ["unauthorized_client", "", /may not use this way of signing in \(the authorization code grant\)/, "type"],
    ["unsupported_response_type", "", /does not offer the authorization code grant \(response_type=code\)/, "authorizationUrl"],
    [
      "invalid_request",
      "bad prompt",
      /a parameter is missing, unknown, or there twice: invalid_request — “bad prompt”/,
      "additionalParams",
    ],
    ["invalid_request", "code challenge required", /demands PKCE/, "useProofKeyForCodeExchange"],
    ["server_error", "", /has a fault of its own/, "authorizationUrl"],
    ["temporarily_unavailable", "", /too busy/, "authorizationUrl"],
    ["redirect_uri_mismatch", "", /redirect address is not registered/, "authorizationUrl"],
    ["interaction_required", "", /has to ask the person something/, "additionalParams"],
    ["login_required", "", /the person is not signed in there/, "additionalParams"],
    ["what_is_this", "Who knows", /refused the sign-in: what_is_this — “Who knows”/, "authorizationUrl"],
  ];
  for (const [code, description, message, field] of authorization) {
    it(`RFC 6749, 4.1.2.1: tells of ${code}${description === "" ? "" : ` (${description})`} at the authorization page`, async () => {
      server.callback = (asked) => ({ error: code, error_description: description, state: asked.get("state") ?? "" });
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
          assert.equal(error.configPath, `userAuthentication.${field}`);
          return (error.hint ?? "").length > 10;
        },
      );
      assert.equal(server.received.length, 0, "nothing was asked of the token endpoint");
    });
  }

  it("RFC 6750, 3.1, RFC 7009, 2.2.1, RFC 7591, 3.2.2: every code has a text of its own", () => {
    const codes: readonly (readonly [OAuthPhase, string])[] = [
      ["resource", "invalid_request"],
      ["resource", "invalid_token"],
      ["resource", "insufficient_scope"],
      ["revocation", "unsupported_token_type"],
      ["registration", "invalid_redirect_uri"],
      ["registration", "invalid_client_metadata"],
    ];
    const texts = codes.map(([phase, code]) => oauthErrorText({ phase, code, auth: auth() }));
    for (const text of texts) assert.ok(text !== undefined && text.hint.length > 10);
    assert.equal(new Set(texts.map((text) => text?.because)).size, codes.length);
    assert.equal(oauthErrorText({ phase: "code", code: "constructor", auth: auth() }), undefined);
  });

  const network: readonly (readonly [error: unknown, message: RegExp, hint: RegExp])[] = [
    [failed("ENOTFOUND"), /the name api\.example does not resolve/, /Check the host in tokenUrl, and the network/],
    [failed("ECONNREFUSED"), /refuses connections/, /Check tokenUrl and the network/],
    [failed("CERT_HAS_EXPIRED"), /certificate of api\.example has expired/, /clock/],
    [failed("ERR_TLS_CERT_ALTNAME_INVALID"), /certificate is not made for api\.example/, /Check the host/],
    [failed("DEPTH_ZERO_SELF_SIGNED_CERT"), /certificate of api\.example is not trusted/, /certificate authority/],
    [failed("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), /not trusted/, /certificate authority/],
    [failed("EPROTO"), /no secure connection/, /plain http/],
    [failed("UND_ERR_CONNECT_TIMEOUT"), /did not answer in time/, /Check tokenUrl/],
    [new DOMException("late", "TimeoutError"), /did not answer in time/, /Try again/],
    [
      failed("UND_ERR_ABORTED", "Proxy response (407) !== 200 when HTTP Tunneling"),
      /the proxy did not let the request to api\.example through/,
      /HTTPS_PROXY/,
    ],
  ];
  for (const [error, message, hint] of network) {
    it(`below HTTP: ${message.source.replaceAll("\\", "")}`, () => {
      assert.match(networkMessage(error, "api.example"), message);
      assert.match(networkHint(error, "tokenUrl"), hint);
    });
  }
});

function failed(code: string, message = "it failed"): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}
