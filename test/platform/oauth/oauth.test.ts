// OAuth against raw local servers that answer the way real providers do, and against people who deny, dawdle or cancel.
import assert from "node:assert/strict";
import { z } from "zod";
import type { PackAuthError } from "../../../platform/errors.ts";
import { authorizationRequest } from "../../../platform/oauth/authorization-request.ts";
import { type Grant, requestToken, type TokenEndpoint, type TokenResponse } from "../../../platform/oauth/token-request.ts";
import type { ClientMethod } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { authentication, eachCase, pattern, response } from "../../support/json-cases.ts";
import { keepPort } from "../../support/reserved-port.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const auth = (more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition => ({
  type: "OAuth2",
  hasGetConnectionName: false,
  postSetup: [],
  ...more,
});

const acceptedCase = z.strictObject({
  title: z.string(),
  response,
  authentication: authentication.default({}),
  expiresAt: z.int().optional(),
  tokenType: z.string().optional(),
  refreshToken: z.string().optional(),
});
/** `@repeat(x,20000)` stands for 20,000 characters. */
const repeatedText = z
  .string()
  .transform((text) => text.replace(/@repeat\((.),(\d+)\)/, (_all, character: string, count: string) => character.repeat(Number(count))));
const refusedCase = z.strictObject({ title: z.string(), response: response.extend({ body: repeatedText }), message: pattern });

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

  eachCase("oauth/cases/token-responses.json", acceptedCase, ({ title, response, authentication, expiresAt, refreshToken, tokenType }) => {
    it(`auth-spec 5.5.6: a token response is accepted: ${title}`, async () => {
      server.responses = [response];
      const { credential, raw } = await ask(auth(authentication));
      assert.equal(credential.accessToken, "t");
      assert.equal(credential.expiresAt, expiresAt);
      assert.equal(credential.issuedAt, 1_000);
      assert.equal(credential.tokenType, tokenType);
      assert.equal(credential.refreshToken, refreshToken ?? "old-refresh");
      if (title === "further members") assert.equal(raw.instance_url, "https://x.example");
    });
  });

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

  eachCase("oauth/cases/bad-token-responses.json", refusedCase, ({ title, response, message }) => {
    it(`a bad token response is reported with its problem: ${title}`, async () => {
      server.responses = [response];
      await assert.rejects(
        ask(),
        (error: PackAuthError) => message.test(error.message) && error.configPath?.startsWith("userAuthentication") === true,
      );
    });
  });

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
