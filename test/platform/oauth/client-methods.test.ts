// Which way of client authentication a sign-in tries, which one it remembers, and which attempt's error speaks: against servers that
// answer a JSON body in every odd way, use up the code with a failed attempt, or learnt something else in an earlier version.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { type Accounts, openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { CLIENT_METHODS } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { openTokenServer, type TokenServer, type TokenServerResponse } from "../../support/token-server.ts";

const ENTRY = "/packs/methods/pack.ts";
const KEY = packKey(ENTRY);
const TOKEN: TokenServerResponse = { body: '{"access_token":"the-access-token","refresh_token":"the-refresh-token"}' };
const refusal = (error: string, status = 400): TokenServerResponse => ({ status, body: JSON.stringify({ error }) });
const DENIED = refusal("invalid_client", 401);
/** The same in HTTP Basic, raw or encoded. */
const RIGHT = "right-secret";

describe("Client authentication methods", function () {
  this.timeout(60_000);
  let server: TokenServer;
  let host: TestHost;
  let accounts: Accounts;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => {
    server.reset();
    host = makeHost({ replies: { "edirect address": "open" } });
    accounts = openAccounts(host);
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  const signIn = (own: Partial<AuthenticationDefinition> = {}) =>
    connect(declaredPack(ENTRY, auth("OAuth2", { authorizationUrl: server.authorizationUrl, tokenUrl: server.tokenUrl, ...own })), {
      scope: "user",
      packName: "shop",
      host,
      accounts,
      redirect: { host: "localhost", port: 0, path: "/oauth" },
    });
  const give = (clientSecret: string) => accounts.saveClientCredentials(KEY, "user", { clientId: "client", clientSecret });

  /** How the last request authenticated, and with which secret. */
  function last(): { readonly method: "form" | "basic" | "json"; readonly secret: string; readonly code: string } {
    const { headers, body } = server.received.at(-1) ?? assert.fail("nothing was sent");
    const isJson = headers["content-type"] === "application/json";
    const members: Record<string, string> = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    const pair = /^Basic (.+)$/.exec(String(headers.authorization ?? ""))?.[1];
    const method = isJson ? "json" : pair === undefined ? "form" : "basic";
    const secret = pair === undefined ? (members.client_secret ?? "") : (Buffer.from(pair, "base64").toString().split(":")[1] ?? "");
    return { method, secret, code: members.code ?? "" };
  }

  const jsonResponses: Readonly<Record<string, TokenServerResponse>> = {
    invalid_request: refusal("invalid_request"),
    unsupported_grant_type: refusal("unsupported_grant_type"),
    unauthorized_client: refusal("unauthorized_client"),
    server_error: refusal("server_error", 500),
    "a page with status 500": { status: 500, type: "text/html", body: "<html><title>Internal Server Error</title></html>" },
    "a page with status 404": { status: 404, type: "text/html", body: "<html><title>Not Found</title></html>" },
    "a page with status 200": { type: "text/html", body: "<html><title>Log in</title></html>" },
    "status 415": { status: 415, body: "" },
    "an empty answer": { body: "" },
    "a redirect": { status: 302, headers: { location: "/login" }, body: "" },
    "an error of its own": refusal("E-17"),
  };
  for (const [what, jsonResponse] of Object.entries(jsonResponses)) {
    it(`a wrong secret is reported, and the right one works later, when JSON gets ${what}`, async () => {
      server.reply = () => {
        const { method, secret } = last();
        return method === "json" ? jsonResponse : secret === RIGHT ? TOKEN : DENIED;
      };
      await give("wrong-secret");
      await assert.rejects(signIn(), (error: PackAuthError) => {
        assert.match(error.message, /^[^“]* because the client ID or secret is wrong\. Its answer: invalid_client\.$/);
        assert.match(error.hint ?? "", /Tried: form body: invalid_client; HTTP Basic: invalid_client; JSON body: refused\.$/);
        return error.code === "credentials-refused" && error.configPath === "userAuthentication";
      });
      assert.equal(accounts.clientMethod(KEY, "user"), undefined, "nothing was learnt");
      await give(RIGHT);
      assert.equal((await signIn())?.account.clientMethod, "form");
    });

    it(`a wrongly remembered method does not lock the pack out when JSON gets ${what}`, async () => {
      server.reply = () => {
        const { method, secret } = last();
        return method === "json" ? jsonResponse : secret === RIGHT && method === "basic" ? TOKEN : DENIED;
      };
      await give(RIGHT);
      await accounts.rememberClientMethod(KEY, "user", "json");
      assert.equal((await signIn())?.account.clientMethod, "basic");
      assert.equal(accounts.clientMethod(KEY, "user"), "basic", "the next one begins with it");
      server.received.length = 0;
      await signIn();
      assert.equal(server.received.length, 1);
    });
  }

  for (const [what, answer] of Object.entries({
    invalid_client: DENIED,
    "a wish for JSON": { status: 400, body: '{"message":"Content-Type must be application/json"}' },
    unsupported_grant_type: refusal("unsupported_grant_type"),
    "status 415": { status: 415, body: "" },
    "a grant_type that it did not find": { status: 400, body: '{"error":"invalid_request","error_description":"grant_type is missing"}' },
    "a wish for an object": { status: 422, body: '{"detail":[{"loc":["body"],"msg":"value is not a valid dict"}]}' },
  })) {
    it(`auth-spec 5.5.5: JSON is used for its token, remembered and reported when a form gets ${what}`, async () => {
      server.reply = () => (last().method === "json" ? TOKEN : answer);
      await give(RIGHT);
      const connected = await signIn();
      assert.equal(connected?.account.clientMethod, "json");
      assert.equal(accounts.clientMethod(KEY, "user"), "json");
      assert.match(
        connected?.signInNotes.map(({ message }) => message).join() ?? "",
        /only as JSON\. The platform is not known to send JSON/,
      );
    });
    if (answer !== DENIED)
      it(`HTTP Basic with a JSON body is tried when a form gets ${what}`, async () => {
        const isBasic = () => server.received.at(-1)?.headers.authorization !== undefined;
        server.reply = () => (server.received.at(-1)?.headers["content-type"] !== "application/json" ? answer : isBasic() ? TOKEN : DENIED);
        await give(RIGHT);
        assert.equal((await signIn())?.account.clientMethod, "basic-json");
        server.received.length = 0;
        await signIn();
        assert.equal(server.received.length, 1, "the next sign-in begins with it");
      });
  }

  it("JSON is neither proposed nor remembered when a form-only server answers invalid_grant to it", async () => {
    server.reply = () => (last().method === "json" ? refusal("invalid_grant") : DENIED);
    await give("wrong-secret");
    await assert.rejects(signIn(), (error: PackAuthError) => !/JSON/.test(error.message) && error.code === "credentials-refused");
    assert.equal(accounts.clientMethod(KEY, "user"), undefined);
  });

  it("JSON is remembered when a server that asks for it has used up the code", async () => {
    server.reply = () => (last().method === "json" ? refusal("invalid_grant") : refusal("use application/json"));
    await give(RIGHT);
    await assert.rejects(signIn(), /the code is expired/);
    assert.equal(accounts.clientMethod(KEY, "user"), "json");
  });

  for (const error of ["access_denied", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_token", "E-17"])
    it(`HTTP Basic is tried after a form body gets 401 ${error}, as on the platform`, async () => {
      server.reply = () =>
        last().method === "basic" ? TOKEN : { status: 401, body: JSON.stringify({ error, error_description: "Unauthorized" }) };
      await give(RIGHT);
      assert.equal((await signIn())?.account.clientMethod, "basic");
    });

  it("an error other than 401 ends the attempts before HTTP Basic", async () => {
    server.reply = () => refusal("access_denied", 403);
    await give(RIGHT);
    await assert.rejects(signIn(), /does not allow this to the application/);
    assert.equal(server.received.length, 1);
  });

  it("credentialsLocation AuthorizationHeader begins with the form of HTTP Basic that worked last", async () => {
    const secret = "right secret";
    server.reply = () => {
      const pair = Buffer.from(String(server.received.at(-1)?.headers.authorization).replace("Basic ", ""), "base64").toString();
      return pair === "client:right+secret" ? TOKEN : DENIED;
    };
    await give(secret);
    const pinned = { credentialsLocation: "AuthorizationHeader" } as const;
    assert.equal((await signIn(pinned))?.account.clientMethod, "basic-encoded");
    assert.equal(server.received.length, 2);
    await signIn(pinned);
    assert.equal(server.received.length, 3, "the second sign-in sends one request");
  });

  for (const [secret, isHinted] of [
    ["sec:ret", true],
    ["secret", false],
  ] as const)
    it(`a refused client secret ${isHinted ? "with" : "without"} a colon ${isHinted ? "gets" : "gets no"} hint on colons in HTTP Basic`, async () => {
      server.reply = () => DENIED;
      await give(secret);
      await assert.rejects(signIn(), ({ hint = "" }: PackAuthError) => /contains a colon/.test(hint) === isHinted);
    });

  it("a secret accepted only percent-encoded gets a note that the platform sends it raw", async () => {
    const pair = () => Buffer.from(String(server.received.at(-1)?.headers.authorization).replace("Basic ", ""), "base64").toString();
    server.reply = () => (pair() === "client:sec%3Aret" ? TOKEN : DENIED);
    await give("sec:ret");
    const messages = (await signIn())?.signInNotes.map(({ message }) => message) ?? [];
    assert.match(messages.join(), /only with percent-encoding, and the platform sends them as they are/);
  });

  it("new client credentials clear the remembered method of their pack and setter only", async () => {
    await accounts.rememberClientMethod(KEY, "user", "json");
    await accounts.rememberClientMethod(KEY, "system", "basic");
    await give(RIGHT);
    assert.deepEqual([accounts.clientMethod(KEY, "user"), accounts.clientMethod(KEY, "system")], [undefined, "basic"]);
  });

  it("a new sign-in begins with the pack's remembered method, not the account's", async () => {
    server.reply = () => TOKEN;
    await give(RIGHT);
    const connected = await signIn();
    assert.equal(connected?.account.clientMethod, "form");
    // The provider takes Basic alone by now, and a refused attempt uses the code up.
    const usedCodes = new Set<string>();
    server.reply = () => {
      const { method, code } = last();
      if (method !== "basic") return usedCodes.add(code) && DENIED;
      return usedCodes.has(code) ? refusal("invalid_grant") : TOKEN;
    };
    server.callback = (query) => ({ code: `code-${query.get("state")}`, state: query.get("state") ?? "" });
    const again = () =>
      connect(declaredPack(ENTRY, auth("OAuth2", { authorizationUrl: server.authorizationUrl, tokenUrl: server.tokenUrl })), {
        scope: "user",
        packName: "shop",
        host,
        accounts,
        ...(connected === undefined ? {} : { existing: connected.account }),
        redirect: { host: "localhost", port: 0, path: "/oauth" },
      });
    await assert.rejects(again());
    assert.equal((await again())?.account.clientMethod, "basic");
  });

  for (const [responses, expected] of [
    [{ form: refusal("invalid_request"), basic: DENIED }, /client ID or secret is wrong/],
    [{ form: DENIED, basic: refusal("invalid_request") }, /client ID or secret is wrong/],
    [{ form: DENIED, basic: { status: 500, body: "" } }, /client ID or secret is wrong/],
    [{ form: DENIED, basic: refusal("server_error", 500) }, /client ID or secret is wrong/],
    [{ form: refusal("Missing or invalid Authorization header"), basic: DENIED }, /is wrong\. Its answer: invalid_client/],
    [{ form: { status: 400, body: "bad" }, basic: refusal("unauthorized_client", 401) }, /client ID or secret is wrong/],
    [{ form: DENIED, basic: refusal("invalid_scope") }, /one of the scopes/],
    [
      { form: DENIED, basic: { status: 400, body: '{"error":"invalid_request","error_description":"code_verifier is missing"}' } },
      /useProofKeyForCodeExchange is not set/,
    ],
    [{ form: DENIED, basic: refusal("invalid_grant") }, /client ID or secret is wrong, or it accepts them as HTTP Basic alone/],
  ] as const)
    it(`the most specific attempt is reported: form ${JSON.parse(responses.form.body.startsWith("{") ? responses.form.body : "{}").error ?? responses.form.body}, Basic ${responses.basic.body || "status 500"}`, async () => {
      server.reply = () =>
        last().method === "form" ? responses.form : last().method === "basic" ? responses.basic : { status: 500, body: "" };
      await give(RIGHT);
      await assert.rejects(signIn({ scopes: ["read"] }), (error: PackAuthError) => expected.test(error.message));
    });

  it("no combination of server and remembered method locks a right secret out for long", async () => {
    const odd = fc.constantFrom("invalid_client", "invalid_request", "invalid_grant");
    const anything = fc.oneof(odd, fc.constantFrom("unsupported_grant_type", "server_error", "E-1"));
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          form: fc.constantFrom("token", "invalid_client", "invalid_request"),
          basic: fc.oneof(fc.constant("token"), odd),
          json: fc.oneof(fc.constant("token"), anything),
          usesUp: fc.boolean(),
          remembered: fc.constantFrom(undefined, ...CLIENT_METHODS.filter((method) => method !== "none")),
        }),
        async ({ usesUp, remembered, ...says }) => {
          if (!Object.values(says).includes("token")) return;
          // A server that reads JSON alone finds no code in a form.
          if (usesUp && says.form !== "token" && says.basic !== "token") return;
          const usedCodes = new Set<string>();
          server.reset();
          server.callback = (query) => ({ code: `code-${query.get("state")}`, state: query.get("state") ?? "" });
          server.reply = () => {
            const { method, code } = last();
            const outcome = says[method];
            if (outcome === "token") return usedCodes.has(code) ? refusal("invalid_grant") : TOKEN;
            if (usesUp) usedCodes.add(code);
            return refusal(outcome, outcome === "server_error" ? 500 : 400);
          };
          await give(RIGHT);
          if (remembered !== undefined) await accounts.rememberClientMethod(KEY, "user", remembered);
          for (let attempt = 1; ; attempt++) {
            const connected = await signIn().catch((error: unknown) => error);
            if (connected !== undefined && !(connected instanceof Error)) return;
            assert.ok(attempt < 5, `still out after five sign-ins: ${connected}`);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
