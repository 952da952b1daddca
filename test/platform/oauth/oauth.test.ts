// OAuth against raw local servers that answer the way real providers do, and against people who deny, dawdle or cancel.
import assert from "node:assert/strict";
import type { PackAuthError } from "../../../platform/errors.ts";
import { authorizationRequest } from "../../../platform/oauth/authorization-request.ts";
import { type Grant, requestToken, type TokenEndpoint, type TokenResponse } from "../../../platform/oauth/token-request.ts";
import type { ClientMethod } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { keepPort } from "../../support/reserved-port.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

const auth = (more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition => ({
  type: "OAuth2",
  hasGetConnectionName: false,
  postSetup: [],
  ...more,
});

describe("Token requests and authorization requests", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  const ask = (
    definition = auth(),
    grant: Grant = { kind: "refresh", refreshToken: "old-refresh" },
    secret: string | undefined = "client-secret",
    more: Partial<TokenEndpoint> = {},
  ): Promise<TokenResponse> =>
    requestToken(
      {
        auth: definition,
        configRoot: "userAuthentication",
        tokenUrl: `${server.base}/token`,
        address: `${server.base}/token`,
        client: { clientId: "client", ...(secret === undefined ? {} : { clientSecret: secret }) },
        fetch: (url, init) => fetch(url, init),
        now: () => 1_000,
        ...more,
      },
      grant,
    );

  const acceptedResponses: Readonly<
    Record<string, { response: TokenServerResponse; auth?: Partial<AuthenticationDefinition>; expiresAt?: number; refreshToken?: string }>
  > = {
    "the standard one": {
      response: { body: '{"access_token":"t","token_type":"Bearer","expires_in":60,"refresh_token":"r"}' },
      expiresAt: 61_000,
      refreshToken: "r",
    },
    "a form body": { response: { type: "application/x-www-form-urlencoded", body: "access_token=t&scope=a%2Cb&token_type=bearer" } },
    "a form body that says text": { response: { type: "text/plain", body: "access_token=t&token_type=bearer" } },
    "JSON that says text": { response: { type: "text/html", body: '{"access_token":"t","token_type":"bearer"}' } },
    "no token_type": { response: { body: '{"access_token":"t"}' } },
    "an odd token_type": { response: { body: '{"access_token":"t","token_type":"user"}' } },
    "token_type as a number": { response: { body: '{"access_token":"t","token_type":1}' } },
    "expires_in as a text": { response: { body: '{"access_token":"t","expires_in":"60"}' }, expiresAt: 61_000 },
    "expires_in null": { response: { body: '{"access_token":"t","expires_in":null}' } },
    "expires_in garbage": { response: { body: '{"access_token":"t","expires_in":"soon"}' } },
    "status 201": { response: { status: 201, body: '{"access_token":"t"}' } },
    "a byte order mark": { response: { body: '\ufeff{"access_token":"t"}' } },
    "nested under nestedResponseKey": {
      response: { body: '{"ok":true,"authed_user":{"access_token":"t"}}' },
      auth: { nestedResponseKey: "authed_user" },
    },
    "refresh_token null": { response: { body: '{"access_token":"t","refresh_token":null}' } },
    "scope as a list": { response: { body: '{"access_token":"t","scope":["a","b"]}' } },
    "an id_token that no one can read": { response: { body: '{"access_token":"t","id_token":"garbage"}' } },
    "further members": { response: { body: '{"access_token":"t","instance_url":"https://x.example","error":null}' } },
  };
  assert.equal(Object.keys(acceptedResponses).length, 17);
  for (const [name, { response, auth: more, expiresAt, refreshToken }] of Object.entries(acceptedResponses)) {
    it(`auth-spec 5.5.6: a token response is accepted: ${name}`, async () => {
      server.responses = [response];
      const { credential, raw } = await ask(auth(more));
      assert.equal(credential.accessToken, "t");
      assert.equal(credential.expiresAt, expiresAt);
      assert.equal(credential.refreshToken, refreshToken ?? "old-refresh");
      if (name === "further members") assert.equal(raw.instance_url, "https://x.example");
    });
  }

  it("the scopes and the resource of a client without a user are in its token request (RFC 6749, section 4.4.2; RFC 8707)", async () => {
    server.responses = [{ body: '{"access_token":"t"}' }];
    const more = { scopes: ["a", "b"], scopeDelimiter: ",", scopeParamName: "scopes", resource: "https://api.example/" } as const;
    await ask(auth({ type: "OAuth2ClientCredentials", ...more }), { kind: "client-credentials" });
    const parameters = new URLSearchParams(server.received[0]?.body);
    assert.deepEqual([parameters.get("scopes"), parameters.get("resource")], ["a,b", "https://api.example/"]);
  });

  it("an empty error member does not refuse a token", async () => {
    for (const error of [null, false, ""]) {
      server.responses = [{ body: JSON.stringify({ access_token: "t", error }) }];
      assert.equal((await ask()).credential.accessToken, "t");
    }
  });

  const refusedResponses: Readonly<Record<string, [TokenServerResponse, RegExp]>> = {
    "200 with an error": [
      { body: '{"error":"bad_verification_code","error_description":"The code is wrong"}' },
      /bad_verification_code — “The code is wrong”/,
    ],
    "an error object": [{ status: 400, body: '{"error":{"code":"E1","message":"Broken"}}' }, /E1 — “Broken”/],
    "a text": [{ status: 403, type: "text/plain", body: "Forbidden zone" }, /status 403 — “Forbidden zone”/],
    HTML: [{ status: 500, type: "text/html", body: "<html><body><h1>Oops</h1></body></html>" }, /status 500 — “Oops”/],
    nothing: [{ body: "" }, /nothing else/],
    "no access_token": [{ body: '{"hello":1}' }, /no access_token/],
    invalid_grant: [{ status: 400, body: '{"error":"invalid_grant","error_description":"expired"}' }, /invalid_grant — “expired”/],
    "401 with a challenge": [
      {
        status: 401,
        headers: { "www-authenticate": 'Basic realm="x", error="invalid_client", error_description="Who are you?"' },
        body: "",
      },
      /invalid_client — “Who are you\?”/,
    ],
    "204": [{ status: 204, body: "" }, /answered with status 204 and nothing else/],
    "429 without a word": [{ status: 429, body: "" }, /status 429/],
    "more than a megabyte": [{ body: `{"access_token":"${"x".repeat(1_100_000)}"}` }, /more than 1 MB/],
    "more than a megabyte behind a token": [{ body: `access_token=t&more=${"x".repeat(1_100_000)}` }, /more than 1 MB/],
    "a refresh token that no request can carry": [
      { body: JSON.stringify({ access_token: "t", refresh_token: "x".repeat(20_000) }) },
      /a token that is too long/,
    ],
    "a token that no request can carry": [{ body: JSON.stringify({ access_token: "x".repeat(20_000) }) }, /a token that is too long/],
    "a token that would take seconds to be masked": [
      { body: JSON.stringify({ access_token: "/".repeat(3_000) }) },
      /a token that is too long/,
    ],
    "a redirect": [{ status: 302, headers: { location: "https://evil.example" }, body: "" }, /redirect \(302\)/],
  };
  for (const [name, [response, message]] of Object.entries(refusedResponses)) {
    it(`a bad token response is reported with its problem: ${name}`, async () => {
      server.responses = [response];
      await assert.rejects(
        ask(),
        (error: PackAuthError) => message.test(error.message) && error.configPath?.startsWith("userAuthentication") === true,
      );
    });
  }

  it("auth-spec 5.5.5: the client methods are form, Basic, JSON, until a success or invalid_grant", async () => {
    server.responses = [
      { status: 401, body: '{"error":"invalid_client"}' },
      { status: 401, body: '{"error":"invalid_client"}' },
      { body: '{"access_token":"t"}' },
    ];
    assert.equal((await ask()).method, "json");
    assert.match(server.received[0]?.body ?? "", /client_secret=client-secret/);
    assert.match(String(server.received[1]?.headers.authorization), /^Basic /);
    assert.equal(JSON.parse(server.received[2]?.body ?? "").client_secret, "client-secret");
    server.received.length = 0;
    server.responses = [{ status: 400, body: '{"error":"invalid_grant"}' }];
    await assert.rejects(ask());
    assert.equal(server.received.length, 1);
    server.received.length = 0;
    server.responses = [{ status: 401, body: '{"error":"invalid_client"}' }];
    await assert.rejects(ask(auth({ credentialsLocation: "AuthorizationHeader" })));
    assert.equal(server.received.length, 1);
    assert.match(String(server.received[0]?.headers.authorization), /^Basic /);
  });

  it("auth-spec 5.5.5: the method that met a used-up code is remembered for the next sign-in", async () => {
    const code: Grant = {
      kind: "code",
      callback: new URLSearchParams({ code: "c", state: "s" }),
      state: "s",
      redirectUri: "http://localhost:3000/oauth",
    };
    const rememberedMethods: ClientMethod[] = [];
    const remember = async (method: ClientMethod): Promise<void> => void rememberedMethods.push(method);
    server.responses = [
      { status: 401, body: '{"error":"invalid_client"}' },
      { status: 400, body: '{"error":"invalid_grant"}' },
    ];
    await assert.rejects(ask(auth(), code, "client-secret", { remember }), (error: PackAuthError) =>
      /Tried: form body: invalid_client; HTTP Basic: invalid_grant/.test(error.hint ?? ""),
    );
    assert.deepEqual(rememberedMethods, ["basic"]);
    server.received.length = 0;
    server.responses = [{ body: '{"access_token":"t"}' }];
    await ask(auth(), code, "client-secret", { remembered: "basic" });
    assert.match(String(server.received[0]?.headers.authorization), /^Basic /);
  });

  it("a secret is sent although the last request was without one", async () => {
    server.responses = [{ body: '{"access_token":"t"}' }];
    await ask(auth(), undefined, "client-secret", { remembered: "none" });
    assert.match(server.received[0]?.body ?? "", /client_secret=client-secret/);
  });

  it("secrets echoed by the provider are masked", async () => {
    server.responses = [
      { status: 400, body: '{"error":"invalid_request_object","error_description":"no such client-secret, nor old-refresh-token"}' },
    ];
    await assert.rejects(ask(auth(), { kind: "refresh", refreshToken: "old-refresh-token" }), (error: PackAuthError) => {
      assert.match(error.message, /no such ••••, nor ••••/);
      return !/client-secret|old-refresh-token/.test(`${error.message} ${error.hint}`);
    });
  });

  it("an unreachable token endpoint is reported without delay", async () => {
    const { port, release } = await keepPort();
    await assert.rejects(
      ask(auth(), undefined, undefined, { address: `http://127.0.0.1:${port}/token` }),
      (error: PackAuthError) => /refuses connections/.test(error.message) && error.configPath === "userAuthentication.tokenUrl",
    );
    release();
  });

  it("pkceChallengeMethod plain sends the verifier itself as challenge", async () => {
    const attempt = { clientId: "id", redirectUri: "http://localhost:3000/oauth", state: "s", verifier: "v".repeat(43) };
    const url = new URL(await authorizationRequest(auth({ pkceChallengeMethod: "plain" }), "https://p.example/a", attempt));
    assert.equal(url.searchParams.get("code_challenge"), attempt.verifier);
    assert.equal(url.searchParams.get("code_challenge_method"), "plain");
  });

  for (const [what, delimiter] of [
    ["nothing at all", undefined],
    ["a blank", " "],
    ["a comma", ","],
    ["a semicolon", ";"],
  ] as const) {
    it(`auth-spec 2.3 scopeDelimiter: ${what} as delimiter joins the scopes`, async () => {
      const attempt = { clientId: "id", redirectUri: "http://localhost:3000/oauth", state: "s" };
      const config = auth({ scopes: ["read", "write"], ...(delimiter === undefined ? {} : { scopeDelimiter: delimiter }) });
      const { searchParams } = new URL(await authorizationRequest(config, "https://p.example/a", attempt));
      assert.equal(searchParams.get("scope"), `read${delimiter ?? " "}write`);
    });
  }

  it("auth-spec 2.3 authorizationUrl, 2.3 scopeDelimiter, 2.3 additionalParams, 4 redirect: the platform's own parameters win over additionalParams, and scopes are joined as configured", async () => {
    const url = new URL(
      await authorizationRequest(
        auth({
          scopes: ["a b", "c"],
          scopeDelimiter: ",",
          scopeParamName: "user_scope",
          additionalParams: { state: "mine", access_type: "offline", n: 1, claims: { userinfo: null }, absent: undefined },
        }),
        "https://p.example/a?x=1",
        {
          clientId: "id",
          redirectUri: "http://localhost:3000/oauth",
          state: "real",
          verifier: "v".repeat(43),
        },
      ),
    );
    const parameters = Object.fromEntries(url.searchParams);
    assert.equal(parameters.state, "real");
    assert.equal(parameters.user_scope, "a b,c");
    assert.equal(parameters.access_type, "offline");
    assert.equal(parameters.x, "1");
    assert.equal(parameters.n, "1");
    assert.equal(parameters.claims, '{"userinfo":null}');
    assert.ok(!("absent" in parameters));
    assert.equal(parameters.code_challenge_method, "S256");
    assert.notEqual(parameters.code_challenge, "v".repeat(43));
    assert.ok(!url.search.includes("+"));
  });
});
