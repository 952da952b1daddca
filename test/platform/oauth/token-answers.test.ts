// What a token endpoint's answer looks like to the author: pages shown without what may be a credential, the object that holds the token
// named, and the slips of tokenUrl told as such. Frameworks' own error pages are quoted as they send them.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import type { PackAuthError } from "../../../platform/errors.ts";
import { type Grant, requestToken } from "../../../platform/oauth/token-request.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { authentication, eachCase, pattern, response } from "../../support/json-cases.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

const SECRET = "client-secret-of-this-test";
const CODE = "the-code-of-this-test";
const CODE_GRANT: Grant = {
  kind: "code",
  callback: new URLSearchParams({ code: CODE, state: "s" }),
  state: "s",
  redirectUri: "http://localhost:3000/oauth",
};

const REFRESH_GRANT: Grant = { kind: "refresh", refreshToken: "the-refresh-token" };
const GRANTS = { code: CODE_GRANT, refresh: REFRESH_GRANT } as const;

const routeCase = z.strictObject({ title: z.string(), response, excerpt: z.string() });
const refusalCase = z.strictObject({
  title: z.string(),
  response,
  grant: z.enum(["code", "refresh"]).default("code"),
  expected: z.strictObject({ message: pattern, excerpt: z.string() }),
});
const nestedCase = z.strictObject({
  title: z.string(),
  response,
  authentication: authentication.default({}),
  expected: z.strictObject({ message: pattern, hint: pattern }),
});

describe("Answers of the token endpoint", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  const tokenOf = (grant: Grant, more: Partial<AuthenticationDefinition> = {}, path = "/token") => {
    const tokenUrl = `${server.base}${path}`;
    return requestToken(
      {
        auth: auth("OAuth2", { authorizationUrl: `${server.base}/authorize`, tokenUrl, ...more }),
        configRoot: "userAuthentication",
        tokenUrl,
        address: tokenUrl,
        client: { clientId: "client", clientSecret: SECRET },
        fetch: (url, init) => fetch(url, init),
        now: Date.now,
      },
      grant,
    );
  };

  async function refusalOf(
    response: TokenServerResponse,
    more: Partial<AuthenticationDefinition> = {},
    path = "/token",
    grant: Grant = CODE_GRANT,
  ): Promise<PackAuthError> {
    server.responses = [response];
    return tokenOf(grant, more, path).then(
      () => assert.fail("it was not refused"),
      (error: unknown) => error as PackAuthError,
    );
  }
  const page = (status: number, body: string): TokenServerResponse => ({ status, type: "text/html; charset=utf-8", body });
  const firstSentence = ({ message }: PackAuthError): string => /^.*?\.(?= |$)/.exec(message)?.[0] ?? "";

  eachCase("oauth/cases/missing-routes.json", routeCase, ({ title, response, excerpt }) => {
    it(`${title}'s text for a missing route is quoted, with tokenUrl named first`, async () => {
      const error = await refusalOf(response);
      assert.ok(error.message.includes(excerpt), error.message);
      assert.match(firstSentence(error), /tokenUrl/);
      assert.equal(error.configPath, "userAuthentication.tokenUrl");
    });
  });

  it("a NestJS list of messages is quoted by its first one", async () => {
    const body = '{"message":["username should not be empty","password should not be empty"],"error":"Bad Request","statusCode":400}';
    assert.match((await refusalOf({ status: 400, body })).message, /“Bad Request” — “username should not be empty”/);
  });

  it("a sentence in place of an error code is quoted with one period", async () => {
    const { message } = await refusalOf({ status: 500, body: '{"error":"The client is undefined."}' });
    assert.match(message, /Its answer: “The client is undefined”\.$/);
  });

  eachCase("oauth/cases/refusals-of-products.json", refusalCase, ({ title, response, grant, expected }) => {
    it(`a non-standard refusal is understood: ${title}`, async () => {
      const error = await refusalOf(response, {}, "/token", GRANTS[grant]);
      assert.match(firstSentence(error), expected.message);
      assert.ok(error.message.includes(expected.excerpt), error.message);
      assert.equal(error.configPath, "userAuthentication");
    });
  });

  it("texts that mention a field without blaming it leave tokenUrl as cause", async () => {
    for (const message of ["Send the client secret in the header.", "Unknown path. See how a client id is made.", "Invalid JSON"]) {
      const error = await refusalOf({ status: 400, body: JSON.stringify({ message }) });
      assert.equal(error.configPath, "userAuthentication.tokenUrl", error.message);
    }
  });

  it("a page is quoted without possible credentials, styles and scripts", async () => {
    const styles = `<style>${".a { color: red }".repeat(100)}</style>`;
    const error = await refusalOf(
      page(
        404,
        `<html><head>${styles}<script>const token = "abc123"</script></head><body>No token here. token=abc123 ${SECRET} session: 9f8e7d6c5b4a39281706</body></html>`,
      ),
    );
    assert.match(error.message, /No token here\. token=•••• •••• session: ••••/);
  });

  it("no page and no truncation shows the secret or the code in any encoding", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(SECRET, CODE, encodeURIComponent(SECRET), Buffer.from(SECRET).toString("base64")),
        fc.constantFrom("token ", "<b>secret</b> ", '{"a":"', "", "plain text ", "<html><title>x</title>"),
        fc.nat(5_000),
        fc.constantFrom(200, 400, 404, 500),
        async (secret, before, padding, status) => {
          const error = await refusalOf(page(status, `${before}${"<i></i>".repeat(padding / 7)} ${secret} behind`));
          const text = `${error.message} ${error.hint}`;
          for (let at = 0; at + 8 <= secret.length; at++) assert.ok(!text.includes(secret.slice(at, at + 8)), text);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("every message and every hint ends with a sentence", async () => {
    const responses: TokenServerResponse[] = [
      page(200, "<html><title>Log in</title>Welcome</html>"),
      page(404, "<html>token</html>"),
      { body: '{"hello":1}' },
      { body: "hello" },
      { body: "" },
      { status: 500, body: "" },
      { status: 400, body: '{"error":"invalid_client","error_description":"no"}' },
      { status: 302, headers: { location: "/login" }, body: "" },
      { body: '{"data":{"access_token":"t"}}' },
      { body: "x".repeat(1_100_000) },
    ];
    for (const response of responses) {
      const { message, hint = "" } = await refusalOf(response);
      assert.match(message, /\.$/);
      assert.match(hint, /\.$/);
    }
  });

  describe("A token inside an object", () => {
    const nested = (object: unknown): TokenServerResponse => ({ body: JSON.stringify({ ok: true, scope: "a", ...(object as object) }) });
    eachCase("oauth/cases/nested-tokens.json", nestedCase, ({ title, response, authentication, expected }) => {
      it(`a token ${title} is reported by member names without values`, async () => {
        const error = await refusalOf(response, authentication);
        assert.match(error.message, expected.message);
        assert.match(error.hint ?? "", expected.hint);
        const field = /nestedResponseKey/.test(firstSentence(error)) ? "nestedResponseKey" : "tokenUrl";
        assert.equal(error.configPath, `userAuthentication.${field}`);
        assert.ok(!`${error.message} ${error.hint}`.includes("the-token"));
      });
    });

    for (const [what, body, expected] of [
      [
        "the refresh token of the object",
        { refresh_token: "outer-token", data: { access_token: "inner-token", refresh_token: "inner-refresh-token" } },
        ["inner-token", "inner-refresh-token"],
      ],
      [
        "no refresh token of the top level",
        { refresh_token: "outer-token", data: { access_token: "inner-token" } },
        ["inner-token", undefined],
      ],
    ] as const)
      it(`a sign-in reads only the object that nestedResponseKey names: ${what}`, async () => {
        server.responses = [{ body: JSON.stringify(body) }];
        const { credential } = await tokenOf(CODE_GRANT, { nestedResponseKey: "data" });
        assert.deepEqual([credential.accessToken, credential.refreshToken], expected);
      });

    it("an empty nestedResponseKey reads the top level, as in the Packs SDK", async () => {
      server.responses = [{ body: '{"access_token":"the-token"}' }];
      assert.equal((await tokenOf(CODE_GRANT, { nestedResponseKey: "" })).credential.accessToken, "the-token");
    });

    for (const body of [{ access_token: "new-token" }, { data: { access_token: "new-token" } }])
      it(`a refresh reads the new token from ${"data" in body ? "the object that nestedResponseKey names" : "the top level"}`, async () => {
        server.responses = [{ body: JSON.stringify(body) }];
        const { credential } = await tokenOf({ kind: "refresh", refreshToken: "r" }, { nestedResponseKey: "data" });
        assert.deepEqual([credential.accessToken, credential.refreshToken], ["new-token", "r"]);
      });

    it("the proposed nestedResponseKey works", async () => {
      server.responses = [nested({ authed_user: { access_token: "the-token" } })];
      const { credential } = await tokenOf(CODE_GRANT, { nestedResponseKey: "authed_user" });
      assert.equal(credential.accessToken, "the-token");
    });
  });

  describe("A tokenUrl equal to authorizationUrl", () => {
    for (const [what, response] of [
      ["a page", page(200, "<html><title>Log in</title></html>")],
      ["404", page(404, "Not Found")],
      ["405", { status: 405, body: "" }],
      ["a redirect to a login", { status: 302, headers: { location: "/login" }, body: "" }],
      ["invalid_request", { status: 400, body: '{"error":"invalid_request","error_description":"response_type is missing"}' }],
      ["invalid_client", { status: 401, body: '{"error":"invalid_client"}' }],
      ["unsupported_response_type", { status: 400, body: '{"error":"unsupported_response_type"}' }],
      ["a fault", { status: 500, body: "" }],
      ["nothing", { body: "" }],
    ] as const)
      it(`the equal address is reported first for any answer: ${what}`, async () => {
        const error = await refusalOf(response, {}, "/oauth/authorize/", undefined);
        assert.ok(!/same address/.test(error.message), "another address is not blamed for that");
        const same = await refusalOf(response, { authorizationUrl: `${server.base}/oauth/authorize?prompt=none` }, "/oauth/authorize/");
        assert.match(firstSentence(same), /^tokenUrl is the same address as authorizationUrl/);
        assert.equal(same.configPath, "userAuthentication.tokenUrl");
        assert.equal(same.code, "token-exchange-failed");
      });
  });

  it("a redirect that adds a slash is reported with the exact address to set", async () => {
    const error = await refusalOf({ status: 308, headers: { location: "/oauth/token/" }, body: "" }, {}, "/oauth/token");
    assert.match(firstSentence(error), /^tokenUrl answers with a redirect \(308\)/);
    assert.equal(error.hint, `Set tokenUrl: "${server.base}/oauth/token/". The slash at the end matters.`);
    const elsewhere = await refusalOf({ status: 301, headers: { location: "https://login.example/t?x=1" }, body: "" });
    assert.match(elsewhere.hint ?? "", /^Set tokenUrl to https:\/\/login\.example\/t, if that is the provider's/);
  });

  for (const [service, response] of [
    ["user data", { status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' }, body: "" }],
    ["introspection", { body: '{"active":false}' }],
    ["revocation", { body: "" }],
    ["registration", { status: 400, body: '{"error":"invalid_client_metadata"}' }],
    ["authorization", { status: 400, body: '{"error":"unsupported_response_type"}' }],
  ] as const)
    it(`the address of another service (${service}) is reported as a wrong tokenUrl`, async () => {
      const error = await refusalOf(response);
      assert.match(firstSentence(error), /tokenUrl/);
      assert.equal(error.configPath, "userAuthentication.tokenUrl");
    });

  for (const code of ["invalid_token", "expired_token", "invalid_grant"])
    it(`a refresh token refused with ${code} is reported as such without a retry`, async () => {
      const error = await refusalOf({ status: 401, body: JSON.stringify({ error: code }) }, {}, "/token", REFRESH_GRANT);
      assert.match(error.message, /because the refresh token is expired, was revoked, or was used before/);
      assert.equal(server.received.length, 1, "nor is it sent again");
    });
});
