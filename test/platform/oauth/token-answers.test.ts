// What a token endpoint's answer looks like to the author: pages shown without what may be a credential, the object that holds the token
// named, and the slips of tokenUrl told as such. Frameworks' own error pages are quoted as they send them.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { PackAuthError } from "../../../platform/errors.ts";
import { type Grant, requestToken } from "../../../platform/oauth/token-request.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

const SECRET = "client-secret-of-this-test";
const CODE = "the-code-of-this-test";
const CODE_GRANT: Grant = {
  kind: "code",
  callback: new URLSearchParams({ code: CODE, state: "s" }),
  state: "s",
  redirectUri: "http://localhost:3000/oauth",
};

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

  const pages: readonly (readonly [framework: string, response: TokenServerResponse, excerpt: string])[] = [
    [
      "Express",
      page(
        404,
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot POST /oauth/token</pre>\n</body>\n</html>\n',
      ),
      "Error Cannot POST /oauth/token",
    ],
    [
      "Fastify",
      { status: 404, body: '{"message":"Route POST:/oauth/token not found","error":"Not Found","statusCode":404}' },
      "Route POST:/oauth/token not found",
    ],
    ["FastAPI", { status: 404, body: '{"detail":"No /token here"}' }, "No /token here"],
    ["Hono", { status: 404, type: "text/plain", body: "404 Not Found: /token" }, "404 Not Found: /token"],
    [
      "Spring",
      { status: 404, body: '{"timestamp":"2026-01-01T00:00:00Z","status":404,"error":"Not Found","path":"/oauth/token"}' },
      "Not Found",
    ],
  ];
  for (const [framework, response, excerpt] of pages) {
    it(`${framework}'s text for a missing route is quoted, with tokenUrl named first`, async () => {
      const error = await refusalOf(response);
      assert.ok(error.message.includes(excerpt), error.message);
      assert.match(firstSentence(error), /tokenUrl/);
      assert.equal(error.configPath, "userAuthentication.tokenUrl");
    });
  }

  it("a NestJS list of messages is quoted by its first one", async () => {
    const body = '{"message":["username should not be empty","password should not be empty"],"error":"Bad Request","statusCode":400}';
    assert.match((await refusalOf({ status: 400, body })).message, /Bad Request — “username should not be empty”/);
  });

  it("a sentence in place of an error code is quoted with one period", async () => {
    const { message } = await refusalOf({ status: 500, body: '{"error":"The client is undefined."}' });
    assert.match(message, /Its answer: The client is undefined\.$/);
  });

  const own: readonly (readonly [what: string, response: TokenServerResponse, means: RegExp, excerpt: string, grant?: Grant])[] = [
    [
      "Fitbit's list",
      { status: 400, body: '{"errors":[{"errorType":"invalid_client","message":"Who is that?"}],"success":false}' },
      /client ID or secret is wrong/,
      "invalid_client — “Who is that?”",
    ],
    [
      "Strava's list on the client",
      { status: 400, body: '{"message":"Bad Request","errors":[{"resource":"Application","field":"client_id","code":"invalid"}]}' },
      /client ID or secret is wrong/,
      "status 400 — “Bad Request: Application client_id invalid”",
    ],
    [
      "Strava's list on the code",
      { status: 400, body: '{"message":"Bad Request","errors":[{"resource":"AuthorizationCode","field":"code","code":"invalid"}]}' },
      /code is expired, was used before/,
      "status 400 — “Bad Request: AuthorizationCode code invalid”",
    ],
    [
      "HubSpot's text on the secret",
      { status: 400, body: '{"status":"BAD_CLIENT_SECRET","message":"missing or invalid client secret"}' },
      /client ID or secret is wrong/,
      "status 400 — “missing or invalid client secret”",
    ],
    [
      "HubSpot's text on the code",
      { status: 400, body: '{"status":"BAD_AUTH_CODE","message":"missing or unknown auth code"}' },
      /code is expired, was used before/,
      "status 400 — “missing or unknown auth code”",
    ],
    [
      "HubSpot's text on the redirect address",
      { status: 400, body: '{"status":"BAD_REDIRECT_URI","message":"missing or invalid redirect URI"}' },
      /redirect address http:\/\/localhost:3000\/oauth is not registered/,
      "status 400 — “missing or invalid redirect URI”",
    ],
    [
      "HubSpot's text on the refresh token",
      { status: 400, body: '{"status":"BAD_REFRESH_TOKEN","message":"missing or invalid refresh token"}' },
      /refresh token is expired, was revoked/,
      "status 400 — “missing or invalid refresh token”",
      { kind: "refresh", refreshToken: "the-refresh-token" },
    ],
    [
      "XML",
      {
        status: 400,
        type: "application/xml",
        body: "<oauth><error>invalid_grant</error><error_description>gone</error_description></oauth>",
      },
      /code is expired, was used before/,
      "Its answer: invalid_grant.",
    ],
    [
      "capitals",
      { status: 400, body: '{"error":"INVALID_CLIENT","error_description":"no"}' },
      /client ID or secret is wrong/,
      "INVALID_CLIENT — “no”",
    ],
    [
      "a code of its own",
      { status: 400, body: '{"error":"1004","message":"The client_secret is not valid."}' },
      /client ID or secret is wrong/,
      "1004 — “The client_secret is not valid.”",
    ],
  ];
  for (const [what, response, means, excerpt, grant] of own) {
    it(`a non-standard refusal is understood: ${what}`, async () => {
      const error = await refusalOf(response, {}, "/token", grant);
      assert.match(firstSentence(error), means);
      assert.ok(error.message.includes(excerpt), error.message);
      assert.equal(error.configPath, "userAuthentication");
    });
  }

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
    for (const [what, response, own, message, hint] of [
      [
        "without nestedResponseKey",
        nested({ authed_user: { access_token: "the-token" } }),
        {},
        /^The token is in the object "authed_user" of the answer, and nestedResponseKey does not name it\.$/,
        /^Set nestedResponseKey: "authed_user"/,
      ],
      [
        "in another object than nestedResponseKey names",
        nested({ data: { access_token: "the-token" } }),
        { nestedResponseKey: "dat" },
        /"data".*nestedResponseKey is dat\.$/,
        /^Set nestedResponseKey: "data"/,
      ],
      [
        "in a deeper object",
        nested({ data: { token: { access_token: "the-token" } } }),
        {},
        /^tokenUrl returned no access_token.* It contains: ok, scope, data\.$/,
        /nestedResponseKey/,
      ],
      [
        "missing from the object of nestedResponseKey",
        nested({ data: { token: "the-token" } }),
        { nestedResponseKey: "data" },
        /^There is no access_token.*"data", which nestedResponseKey names\. It contains: ok, scope, data\.$/,
        /nestedResponseKey/,
      ],
      [
        "at the top level, with a missing object in nestedResponseKey",
        nested({ access_token: "the-token" }),
        { nestedResponseKey: "data" },
        /^The token is at the top level of the answer, and nestedResponseKey is data\.$/,
        /^Remove nestedResponseKey, and sign in again\./,
      ],
      [
        "at the top level, with an object without a token in nestedResponseKey",
        nested({ access_token: "the-token", data: { access_token: null, id: 7 } }),
        { nestedResponseKey: "data" },
        /^The token is at the top level of the answer, and nestedResponseKey is data\.$/,
        /^Remove nestedResponseKey, and sign in again\./,
      ],
      [
        "in an object and at the top level, with a third name in nestedResponseKey",
        nested({ access_token: "the-token", authed_user: { access_token: "the-token" } }),
        { nestedResponseKey: "user" },
        /^The token is in the object "authed_user" of the answer, and nestedResponseKey is user\.$/,
        /^Set nestedResponseKey: "authed_user"/,
      ],
      [
        "under another name",
        nested({ accessToken: "the-token" }),
        {},
        /It contains: ok, scope, accessToken\.$/,
        /reads the token from access_token/,
      ],
    ] as const)
      it(`a token ${what} is reported by member names without values`, async () => {
        const error = await refusalOf(response, own);
        assert.match(error.message, message);
        assert.match(error.hint ?? "", hint);
        const field = /nestedResponseKey/.test(firstSentence(error)) ? "nestedResponseKey" : "tokenUrl";
        assert.equal(error.configPath, `userAuthentication.${field}`);
        assert.ok(!`${error.message} ${error.hint}`.includes("the-token"));
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
      const grant: Grant = { kind: "refresh", refreshToken: "the-refresh-token" };
      const error = await refusalOf({ status: 401, body: JSON.stringify({ error: code }) }, {}, "/token", grant);
      assert.match(error.message, /because the refresh token is expired, was revoked, or was used before/);
      assert.equal(server.received.length, 1, "nor is it sent again");
    });
});
