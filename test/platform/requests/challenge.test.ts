// What an API's 401 and 403 tell of the credential: told beside the request, and with a getConnectionName that failed of it.
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { challengesIn } from "../../../platform/diagnosis/challenges.ts";
import { explain } from "../../../platform/diagnosis/explain.ts";
import type { AccountFacts } from "../../../platform/diagnosis/failure.ts";
import { explanationText } from "../../../platform/diagnosis/words.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth, onWire, TOKEN } from "../../support/broker.ts";
import { connected } from "../../support/connected.ts";
import { ACCOUNT } from "../../support/diagnosis-example.ts";
import { authentication, body, eachCase, pattern } from "../../support/json-cases.ts";
import { closePacks, launchSandbox } from "../../support/open-packs.ts";
import { root } from "../../support/packs.ts";
import { run } from "../../support/run.ts";
import { RUNS } from "../../support/runs.ts";
import { OAUTH, shopOfSuite, WHO_AM_I } from "../../support/shop.ts";
import { openWire, type Wire, wireOfSuite } from "../../support/wire.ts";

const requestWith = (authorization: string) => ({ headers: { authorization } });
const responseWith = (status: number, challenge: string) => ({ status, headers: { "www-authenticate": challenge } });

const challengeCase = z.strictObject({
  title: z.string(),
  authentication: authentication.extend({ type: z.string() }),
  /** The headers of the request, which carry the credential. */
  request: z.record(z.string(), z.string()),
  response: z.strictObject({ status: z.int(), headers: z.record(z.string(), z.string()).default({}), body: body.default("") }),
  account: z
    .strictObject({ isFresh: z.boolean().exactOptional(), isRenewable: z.boolean().exactOptional(), tokenType: z.string().exactOptional() })
    .default({}),
  expected: z.strictObject({ message: pattern, field: z.string().optional() }),
});

/** Returns what the list of requests shows of a refusal. */
function explainChallenge(
  { status, headers, body = "" }: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  { headers: requestHeaders }: { readonly headers: Readonly<Record<string, string>> },
  definition: AuthenticationDefinition,
  account: Partial<AccountFacts> = {},
): { readonly message: string; readonly field: string | undefined } | undefined {
  const host = "api.acme.example";
  const repeats = /^(bearer|token)\s+\1\s/i.exec(requestHeaders.authorization ?? "")?.[1];
  const carriers = Object.keys(requestHeaders).map((carrier) => ({ carrier, host, ...(repeats === undefined ? {} : { repeats }) }));
  const explanation = explain({
    phase: "resource",
    auth: definition,
    account: { ...ACCOUNT, ...account },
    exchange: {
      method: "GET",
      url: `https://${host}/me`,
      requestHeaders,
      credentials: carriers.length === 0 ? [{ carrier: "?key", host }] : carriers,
      status,
      responseHeaders: headers,
      responseBody: body,
    },
  });
  return explanation === undefined || explanation.isGeneral
    ? undefined
    : { message: explanationText(explanation), field: explanation.field };
}

describe("Challenges of an API", () => {
  it("a WWW-Authenticate header is parsed in standard and common non-standard forms", () => {
    assert.deepEqual(challengesIn('Bearer Realm="a, b", error="invalid_token", error_description="say \\"please\\"", Basic realm=x'), [
      { scheme: "Bearer", parameters: { realm: "a, b", error: "invalid_token", error_description: 'say "please"' } },
      { scheme: "Basic", parameters: { realm: "x" } },
    ]);
    assert.deepEqual(challengesIn("Negotiate, token"), [
      { scheme: "Negotiate", parameters: {} },
      { scheme: "token", parameters: {} },
    ]);
    assert.deepEqual(challengesIn("Bearer error=invalid_token, error_description=The access token expired, Basic realm=x"), [
      { scheme: "Bearer", parameters: { error: "invalid_token", error_description: "The access token expired" } },
      { scheme: "Basic", parameters: { realm: "x" } },
    ]);
    assert.deepEqual(challengesIn("Negotiate YIIabc/def, SSO https://id.example/"), [
      { scheme: "Negotiate", parameters: {} },
      { scheme: "SSO", parameters: {} },
    ]);
    // LemonLDAP::NG names no scheme, and quotes nothing.
    assert.deepEqual(challengesIn("error=invalid_request,error_description=Invalid request, sent twice"), []);
    for (const odd of ["", ",,,", '="', "a=b", '"']) assert.ok(Array.isArray(challengesIn(odd)));
  });

  it("needless backslashes in a challenge do not hide a secret", async () => {
    const wire = await openWire();
    try {
      const escapedToken = [...TOKEN].map((character) => `\\${character}`).join("");
      wire.respond = (_request, response) => {
        const challenge = `Bearer error="invalid_token", error_description="${"x".repeat(290)}${escapedToken}"`;
        response.writeHead(401, { "www-authenticate": challenge }).end();
      };
      const { send, traces } = onWire(wire);
      await send({ url: "https://good.com/" });
      assert.match(traces[0]?.warnings[0] ?? "", /invalid_token/);
      assert.ok(!JSON.stringify(traces[0]?.warnings).includes(TOKEN.slice(0, 6)), traces[0]?.warnings[0]);
    } finally {
      await wire.close();
    }
  });

  it("any header is parsed without a throw", () => {
    const part = fc.constantFrom('a="', "Bearer ", "=", ",", "\\", '"', 'error="x"', " ", "é", "\u0000", "__proto__=1", "token");
    const header = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 200 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(header, fc.integer({ min: 100, max: 599 }), (text, status) => {
        for (const { scheme, parameters } of challengesIn(text)) {
          assert.equal(typeof scheme, "string");
          for (const value of Object.values(parameters)) assert.equal(typeof value, "string");
        }
        explainChallenge(responseWith(status, text), requestWith("Bearer t"), oauth);
      }),
      { numRuns: RUNS },
    );
  });

  const oauth = auth("OAuth2", { scopes: ["read"] });
  eachCase("requests/cases/challenges.json", challengeCase, ({ title, authentication, request, response, account, expected }) => {
    it(`a challenge is explained: ${title}`, () => {
      const explained = explainChallenge(response, { headers: request }, auth(authentication.type, authentication), account);
      assert.match(explained?.message ?? "", expected.message);
      assert.equal(explained?.field, expected.field);
    });
  });

  it("a fitting scheme or a successful answer is not explained", () => {
    for (const own of ["BEARER", "OAuth2"])
      assert.equal(explainChallenge(responseWith(401, own), requestWith("Bearer t"), oauth), undefined);
    assert.equal(explainChallenge(responseWith(200, "token"), requestWith("Bearer t"), oauth), undefined);
    assert.equal(
      explainChallenge(responseWith(401, "error=invalid_request,error_description=Invalid request"), requestWith("Bearer t"), oauth),
      undefined,
    );
    for (const status of [400, 401, 403])
      assert.equal(explainChallenge({ status, headers: {} }, requestWith("Bearer t"), oauth), undefined);
    // Unleash: what it says of a name that is no URL.
    assert.equal(explainChallenge({ status: 400, headers: {} }, requestWith("t"), auth("CustomHeaderToken")), undefined);
    assert.equal(explainChallenge({ status: 403, headers: {} }, requestWith("token t"), auth("CustomHeaderToken")), undefined);
    assert.equal(explainChallenge({ status: 401, headers: {} }, requestWith("Basic dTpw"), auth("WebBasic")), undefined);
    assert.equal(explainChallenge({ status: 401, headers: {} }, requestWith("token t"), auth("Custom")), undefined);
    assert.equal(explainChallenge(responseWith(401, "Token"), requestWith("Token t"), auth("CustomHeaderToken")), undefined);
    for (const challenge of ["Basic", "X-API-Key, Basic"])
      assert.equal(explainChallenge(responseWith(401, challenge), { headers: {} }, auth("QueryParamToken")), undefined, challenge);
    for (const quiet of ["xBasic", "X-Basic"])
      assert.equal(explainChallenge(responseWith(401, `${quiet} realm="api"`), requestWith("Basic dTpw"), auth("WebBasic")), undefined);
    assert.equal(explainChallenge(responseWith(401, "Basic"), { headers: {} }, auth("QueryParamToken")), undefined);
    for (const scheme of ["X-Dovecot-API", "X-Api-Key"])
      assert.equal(
        explainChallenge(
          responseWith(401, scheme),
          requestWith(`${scheme} t`),
          auth("CustomHeaderToken", { headerName: "Authorization", tokenPrefix: scheme }),
        ),
        undefined,
      );
    const key = { headers: { "x-api-key": "t" } };
    assert.equal(explainChallenge(responseWith(401, "X-API-Key"), key, auth("CustomHeaderToken")), undefined);
    const user = { headers: { "x-auth-user": "u", "x-auth-key": "k" } };
    assert.equal(explainChallenge(responseWith(401, 'Swift realm="unknown"'), user, auth("MultiHeaderToken")), undefined);
    assert.equal(explainChallenge(responseWith(401, "Keystone"), { headers: {} }, auth("Custom")), undefined);
    const both = { headers: { "x-api-key": "t", authorization: "Bearer t" } };
    assert.equal(explainChallenge(responseWith(401, "X-API-Key"), both, auth("MultiHeaderToken")), undefined);
  });

  it("the explanation is on the request that carried the credential", async () => {
    const wire: Wire = await openWire();
    try {
      wire.respond = (_request, response) => response.writeHead(401, { "www-authenticate": "token" }).end();
      const { send, traces } = onWire(wire);
      await send({ url: "https://good.com/" });
      assert.match(traces[0]?.warnings.join() ?? "", /asks for the scheme token/);
      await send({ url: "https://other.com/" });
      assert.deepEqual(traces[1]?.warnings, []);
    } finally {
      await wire.close();
    }
  });

  it("a truncated challenge shows no part of a secret", async () => {
    const wire: Wire = await openWire();
    try {
      const { send, traces } = onWire(wire);
      for (let before = 60; before <= 300; before += 5)
        for (const challenge of [
          `Bearer error="invalid_token", error_description="${"p".repeat(before)}${TOKEN}"`,
          `Bearer error="${"p".repeat(before)}${TOKEN}"`,
          `Bearer error="insufficient_scope", scope="${"p".repeat(before)}${TOKEN}"`,
          `${"p".repeat(before)}${TOKEN} realm="x"`,
        ]) {
          wire.respond = (_request, response) => response.writeHead(403, { "www-authenticate": challenge }).end();
          await send({ url: "https://good.com/" });
          const traceText = JSON.stringify(traces.at(-1));
          for (let at = 0; at + 8 <= TOKEN.length; at++) assert.ok(!traceText.includes(TOKEN.slice(at, at + 8)), traceText);
        }
    } finally {
      await wire.close();
    }
  });
});

describe("A refused token", () => {
  const wire = wireOfSuite();
  const oauth2 = (more: { expiresAt?: number } = {}) =>
    ({ kind: "oauth2", accessToken: TOKEN, refreshToken: "the-refresh-token", ...more }) as const;

  /** How often a run that asks twice refreshes. */
  async function refreshes(challenge: string, credential: ReturnType<typeof oauth2>): Promise<number> {
    let count = 0;
    wire.respond = (_request, response) => response.writeHead(401, { "www-authenticate": challenge }).end();
    const { send } = onWire(wire, {
      authentication: auth("OAuth2"),
      credential,
      domains: ["good.com"],
      refresh: async () => {
        count++;
        return { credential: { ...credential, accessToken: "another-token-of-it" }, isNew: true };
      },
    });
    await send({ url: "https://good.com/" });
    return count;
  }

  it("an unexpired token is not refreshed if the API asks for another scheme", async () => {
    const good = oauth2({ expiresAt: Date.now() + 600_000 });
    assert.equal(await refreshes("token", good), 0);
    assert.equal(await refreshes("Token, DPoP", good), 0);
    assert.equal(await refreshes("Bearer", good), 1);
    assert.equal(await refreshes("", good), 1);
  });

  it("a token that may have expired is refreshed for any scheme", async () => {
    assert.equal(await refreshes("Token", oauth2()), 1);
    assert.equal(await refreshes("Token", oauth2({ expiresAt: Date.now() - 1 })), 1);
  });
});

const FORBIDDEN_TO_FRESH =
  /^The API forbids this request\. Use an account or a token that has the right for this request\. Or the request lacks a header/;
const FORBIDDEN = /^The API forbids this request\. Use an account or a token that has the right for this request\./;

describe("A run that the API refused", function () {
  this.timeout(30_000);
  it("the error contains the API's own challenge", async () => {
    const sandbox = await launchSandbox();
    try {
      const { openedPack, account } = await connected(sandbox, join(root, "examples/weather-bearer/pack.ts"));
      const [formula] = openedPack.definition.formulas;
      const other = { ...account, credential: { kind: "token", token: "another-token-of-nobody" } as const };
      const values = formula?.parameters.map(({ suggestedValue }) => suggestedValue ?? "Lisbon") ?? [];
      const report = await run(openedPack, { kind: "formula", name: formula?.name ?? "" }, values, { fetch, account: other });
      assert.ok(report.outcome.status === "failed", JSON.stringify(report.outcome));
      assert.match(report.outcome.error.hint ?? "", /invalid_token/);
      assert.equal(report.outcome.error.configPath, "userAuthentication", "no field of it helps");
    } finally {
      sandbox.stop();
      closePacks();
    }
  });
});

describe("An API that asks for another scheme", function () {
  this.timeout(60_000);
  const { connected, open, trial, wire } = shopOfSuite();

  it("a sign-in and a run name the field of the configuration and the change", async () => {
    const originalHandler = wire.respond;
    wire.respond = (request, response, raw) =>
      request.host === "api.shop.example"
        ? response.writeHead(401, { "www-authenticate": "token" }).end()
        : originalHandler(request, response, raw);
    const formula = `pack.addFormula({ name: "Me", description: "", parameters: [], resultType: coda.ValueType.String,
      execute: async (_, context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/me" })).body.name });`;
    const { openedPack, signInNotes, account, accounts } = await connected(
      await open(`setUserAuthentication({ ${OAUTH} ${WHO_AM_I} })`, formula),
    );
    const error = signInNotes.find((note) => note.error !== undefined)?.error;
    assert.ok(error instanceof PackAuthError);
    assert.equal(error.configPath, "userAuthentication.tokenPrefix");
    assert.match(error.hint ?? "", /^tokenPrefix does not fit: .*Set tokenPrefix: "token"\.$/);
    const credential = await accounts.credential(account.id);
    assert.ok(credential !== undefined);
    const report = await run(openedPack, { kind: "formula", name: "Me" }, [], {
      fetch: wire.fetch,
      lookup: wire.lookup,
      account: { scope: "user", credential },
    });
    assert.ok(report.outcome.status === "failed");
    assert.equal(report.outcome.error.configPath, "userAuthentication.tokenPrefix");
    assert.match(report.outcome.error.hint ?? "", /Set tokenPrefix: "token"\.$/);
  });

  it("RFC 9110, 15.5.2: a 401 without a reason gets a hint, also without an account", async () => {
    const originalHandler = wire.respond;
    let status = 200;
    let body = "";
    wire.respond = (request, response, raw) =>
      request.host === "api.shop.example" && status !== 200
        ? response.writeHead(status).end(body)
        : originalHandler(request, response, raw);
    const get = (name: string, more: string): string => `pack.addFormula({ name: "${name}", description: "", parameters: [],
      resultType: coda.ValueType.String,
      execute: async (_, context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/me" ${more} })).body.name });`;
    const formulas = `${get("Me", "")} ${get("Anybody", ", disableAuthentication: true")}`;
    const { openedPack, account, accounts } = await connected(await open(`setUserAuthentication({ ${OAUTH} ${WHO_AM_I} })`, formulas));
    const credential = await accounts.credential(account.id);
    assert.ok(credential?.kind === "oauth2");
    const hintOf = async (name: string, behindProxy = false, issuedAt = 0): Promise<string | undefined> => {
      const account = { scope: "user", credential: { ...credential, issuedAt } } as const;
      const options = { fetch: wire.fetch, lookup: wire.lookup, behindProxy, account };
      const { outcome } = await run(openedPack, { kind: "formula", name }, [], options);
      return outcome.status === "failed" ? outcome.error.hint : "it worked";
    };
    status = 401;
    assert.match(
      (await hintOf("Me")) ?? "",
      /^The API does not accept the credential for this request\. Use a valid one, or one that has the right for it\./,
    );
    assert.match((await hintOf("Me", true)) ?? "", /^The API does not accept the credential/);
    assert.match((await hintOf("Me", false, credential.issuedAt)) ?? "", /^The API refused an access token that was issued just now/);
    assert.match((await hintOf("Anybody")) ?? "", /Remove disableAuthentication: true from this request/);
    status = 403;
    assert.match((await hintOf("Me")) ?? "", FORBIDDEN);
    assert.match((await hintOf("Me", true)) ?? "", FORBIDDEN);
    assert.match((await hintOf("Anybody")) ?? "", /^No credential was sent, and the server forbids the request/);
    status = 500;
    assert.match((await hintOf("Me")) ?? "", /^The server has an internal error\. Try again later/);
    status = 403;
    body = "Directory listings are not supported.";
    assert.match(
      (await hintOf("Me")) ?? "",
      /^The API forbids this request\. Read the API's answer, which may say why it forbids this request\. Use an account/,
    );
  });

  it("an expired token without a refresh token gets a hint what to request", async () => {
    const loadedPack = await open(
      `setUserAuthentication({ ${OAUTH} ${WHO_AM_I} })`,
      `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String,
        execute: async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/me" })).body });`,
    );
    let status = 401;
    wire.respond = (_request, response) => response.writeHead(status).end();
    const hintOf = async (more: object): Promise<string | undefined> => {
      const credential = { kind: "oauth2", accessToken: "the-old-token", ...more } as const;
      const options = { fetch: wire.fetch, lookup: wire.lookup, account: { scope: "user", credential } } as const;
      const { outcome } = await run(loadedPack, { kind: "formula", name: "Me" }, [], options);
      return outcome.status === "failed" ? outcome.error.hint : "it worked";
    };
    assert.match(
      (await hintOf({ expiresAt: Date.now() - 1_000 })) ?? "",
      /^The access token has expired, and the provider returned no refresh token\. Sign in again\. Many providers issue one only on request/,
    );
    for (const good of [{}, { expiresAt: Date.now() + 60_000 }])
      assert.match((await hintOf(good)) ?? "", /^The API does not accept the credential/);
    status = 403;
    assert.match((await hintOf({ expiresAt: Date.now() - 1_000 })) ?? "", FORBIDDEN);
  });

  it("a refusal without a field to blame leads to the whole configuration", async () => {
    const originalHandler = wire.respond;
    wire.respond = (request, response, raw) =>
      request.host === "api.shop.example" ? response.writeHead(status).end() : originalHandler(request, response, raw);
    let status = 403;
    for (const hint of [FORBIDDEN_TO_FRESH, /^The API refused an access token that was issued just now/]) {
      for (const behindProxy of [false, true]) {
        const { connect } = await trial(await open(`setUserAuthentication({ ${OAUTH} ${WHO_AM_I} })`));
        const connection = await connect({ world: { lookup: wire.lookup, behindProxy } });
        const error = connection?.signInNotes[0]?.error as PackAuthError | undefined;
        assert.equal(error?.configPath, "userAuthentication");
        assert.match(error?.hint ?? "", hint);
      }
      status = 401;
    }
  });
});
