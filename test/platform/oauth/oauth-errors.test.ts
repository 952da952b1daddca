// The error translator: every code a provider may give, in each phase, with its own text, its field of the configuration and what to
// try; and what stands below HTTP.
import assert from "node:assert/strict";
import { z } from "zod";
import { signInWithBrowser } from "../../../platform/connect/flows/authorization-code.ts";
import { explainNetwork } from "../../../platform/diagnosis/network-words.ts";
import type { OAuthPhase } from "../../../platform/diagnosis/oauth-codes.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { type Grant, requestToken, type TokenEndpoint } from "../../../platform/oauth/token-request.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth as definition } from "../../support/broker.ts";
import { explainRefusal } from "../../support/explain-refusal.ts";
import { flowContext } from "../../support/flow-context.ts";
import { authentication, eachCase, pattern, response } from "../../support/json-cases.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

const REDIRECT = "http://localhost:3000/oauth";
const auth = (more: Partial<AuthenticationDefinition> = {}) => definition("OAuth2", { scopes: ["read", "write"], ...more });

const GRANTS: Readonly<Record<"code" | "refresh" | "client-credentials", Grant>> = {
  code: { kind: "code", callback: new URLSearchParams({ code: "the-code", state: "s" }), state: "s", redirectUri: REDIRECT },
  refresh: { kind: "refresh", refreshToken: "the-refresh-token" },
  "client-credentials": { kind: "client-credentials" },
};

const tokenCase = z.strictObject({
  title: z.string(),
  response,
  grant: z.enum(["code", "refresh", "client-credentials"]).default("code"),
  authentication: authentication.default({}),
  expected: z.strictObject({ message: pattern, hint: pattern, field: z.string().optional(), code: z.string().optional() }),
});

const authorizationCase = z.strictObject({
  code: z.string(),
  description: z.string().optional(),
  expected: z.strictObject({ message: pattern, field: z.string().optional() }),
});

const pathOf = (field: string | undefined): string => (field === undefined ? "userAuthentication" : `userAuthentication.${field}`);

describe("OAuth error messages", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  async function refusalOf(
    response: TokenServerResponse | undefined,
    kind: keyof typeof GRANTS = "code",
    more: Partial<AuthenticationDefinition> = {},
    endpoint: Partial<TokenEndpoint> = {},
  ): Promise<PackAuthError> {
    if (response !== undefined) server.responses = [response];
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
        ...endpoint,
      },
      GRANTS[kind],
    );
    return tokenRequest.then(
      () => assert.fail("it was not refused"),
      (error: unknown) => error as PackAuthError,
    );
  }

  eachCase("oauth/cases/token-endpoint-errors.json", tokenCase, ({ title, response, grant, authentication, expected }) => {
    it(`RFC 6749, 5.2: ${title} at the token endpoint is reported with cause, remedy and field`, async () => {
      const error = await refusalOf(response, grant, authentication);
      const usual = grant === "refresh" ? "refresh-failed" : "token-exchange-failed";
      assert.equal(error.code, expected.code ?? usual);
      assert.match(error.message, expected.message);
      assert.match(error.hint ?? "", expected.hint);
      if (error.code === "credentials-refused") assert.deepEqual(error.nextStep, { do: "addClient" });
      assert.equal(error.configPath, pathOf(expected.field));
      assert.ok(!/client-secret|the-code|the-refresh-token|the-access-token/.test(`${error.message} ${error.hint}`));
    });
  });

  it("a refresh reports the answer to the method that worked before", async () => {
    server.reply = () => {
      const isBasic = server.received.at(-1)?.headers.authorization !== undefined;
      return { status: 401, body: JSON.stringify({ error: isBasic ? "invalid_client" : "Invalid grant_type" }) };
    };
    const { message, diagnosis } = await refusalOf(undefined, "refresh", {}, { remembered: "form" });
    assert.equal(diagnosis, "grant-not-offered", message);
  });

  eachCase("oauth/cases/authorization-page-errors.json", authorizationCase, ({ code, description = "", expected }) => {
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
          assert.match(error.message, expected.message);
          assert.equal(error.code, "authorization-denied");
          assert.equal(error.configPath, pathOf(expected.field));
          return (error.hint ?? "").length > 10;
        },
      );
      assert.equal(server.received.length, 0, "nothing was asked of the token endpoint");
    });
  });

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
    [fetchFailure("DEPTH_ZERO_SELF_SIGNED_CERT"), /certificate of api\.example is not trusted/, /authority/],
    [fetchFailure("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), /is not trusted/, /test server/],
    [fetchFailure("EPROTO"), /no secure connection/, /plain http/],
    [fetchFailure("UND_ERR_CONNECT_TIMEOUT"), /did not answer in time/, /check tokenUrl and the network/],
    [new DOMException("late", "TimeoutError"), /did not answer in time/, /Try again/],
    [
      fetchFailure("UND_ERR_ABORTED", "Proxy response (407) !== 200 when HTTP Tunneling"),
      /the proxy did not let the request to api\.example through/,
      /Check the proxy/,
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
