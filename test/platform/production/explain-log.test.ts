// What the platform's logs say of a failure, explained by the diagnoses of sign-ins and runs; or quoted, masked and cut.
import assert from "node:assert/strict";
import { explainLog } from "../../../platform/production/explain-log.ts";
import type { LogEntry } from "../../../platform/public-api/public-api.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../../protocol/definition.ts";

const CONTEXT = {
  logId: "1",
  createdAt: "2026-11-20T10:00:00Z",
  packVersion: "3",
  formulaName: "Orders",
  connectionId: "connection-1",
  requestId: "r",
  requestType: "invokeFormula",
  docId: "d",
};

const OAUTH: AuthenticationDefinition = {
  type: "OAuth2",
  hasGetConnectionName: false,
  postSetup: [],
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
  scopes: ["read", "wrote"],
};

const packOf = (userAuthentication: AuthenticationDefinition): PackDefinition => ({
  networkDomains: ["shop.example"],
  formulas: [],
  syncTables: [],
  userAuthentication,
});

const auth = (errorMessage: string, path = "/token"): LogEntry => ({ ...CONTEXT, type: "auth", path, errorMessage });

describe("An explanation of a log entry", () => {
  interface Case {
    readonly entry: LogEntry;
    readonly auth?: Partial<AuthenticationDefinition>;
    readonly diagnosis: string | undefined;
    readonly says: RegExp;
    readonly configPath?: string;
  }
  const cases: Readonly<Record<string, Case>> = {
    "an OAuth error as JSON in the platform's words": {
      entry: auth('Token exchange failed: {"error":"invalid_client","error_description":"Unknown \\"client\\""}'),
      diagnosis: "client-refused",
      says: /client ID or secret is wrong/,
    },
    "an OAuth error as the query of a callback": {
      entry: auth("Callback with error=invalid_scope&error_description=Unknown+scope+wrote"),
      diagnosis: "scopes-refused",
      says: /does not know one of the scopes/,
      configPath: "userAuthentication.scopes",
    },
    "a bare code among words": {
      entry: auth("The provider replied invalid_scope."),
      diagnosis: "scopes-refused",
      says: /scopes/,
      configPath: "userAuthentication.scopes",
    },
    "a redirect address that is not registered": {
      entry: auth("redirect_uri_mismatch: the redirect URI does not match"),
      diagnosis: "redirect-address-not-registered",
      says: /redirect address that was sent is not registered/,
    },
    "an error code of Microsoft's that names another kind of application": {
      entry: auth("invalid_request: AADSTS9002327: Tokens issued for the 'Single-Page Application' client-type"),
      diagnosis: "application-kind-wrong",
      says: /application/,
    },
    "a refresh that the provider refused": {
      entry: auth('{"error":"invalid_grant"}', "/refreshToken"),
      diagnosis: "refresh-token-refused",
      says: /refresh token is expired/,
    },
    "a person who declined": { entry: auth("error=access_denied"), diagnosis: "access-denied", says: /access was denied/ },
    "a token endpoint that is not there": {
      entry: auth("Request failed with status 404"),
      diagnosis: "token-url-wrong",
      says: /tokenUrl/,
      configPath: "userAuthentication.tokenUrl",
    },
    "an error that no diagnosis knows": {
      entry: auth("Something odd happened at the provider"),
      diagnosis: undefined,
      says: /^The platform says: “Something odd happened at the provider”\.$/,
    },
    "a request whose credential the API refused": {
      entry: { ...CONTEXT, type: "fetcher", method: "GET", baseUrl: "https://api.shop.example/orders", responseCode: 401 },
      diagnosis: "credential-refused",
      says: /does not accept the credential/,
    },
    "a request to an address that is not there": {
      entry: { ...CONTEXT, type: "fetcher", method: "GET", baseUrl: "https://api.shop.example/ordes", responseCode: 404 },
      diagnosis: "not-found",
      says: /nothing at GET https:\/\/api\.shop\.example\/ordes/,
    },
    "too many requests": {
      entry: { ...CONTEXT, type: "fetcher", responseCode: 429 },
      diagnosis: "too-many-requests",
      says: /./,
    },
    "a formula that failed with a status": {
      entry: { ...CONTEXT, type: "invocation", error: { message: 'StatusCodeError: 503 - {"message":"Maintenance"}' } },
      diagnosis: "server-error",
      says: /internal error/,
    },
    "a formula that failed by itself": {
      entry: { ...CONTEXT, type: "invocation", error: { message: "Cannot read properties of undefined" } },
      diagnosis: undefined,
      says: /^The platform says: “Cannot read properties of undefined”\.$/,
    },
    "an error of an MCP server": {
      entry: { ...CONTEXT, type: "mcp", error: { message: "MCP error -32602: Invalid params" } },
      diagnosis: "mcp-error",
      says: /Invalid params \(error -32602\)/,
    },
  };
  for (const [name, { entry, auth: fields, diagnosis, says, configPath }] of Object.entries(cases))
    it(`the explanation says why: ${name}`, () => {
      const explanation = explainLog(entry, packOf({ ...OAUTH, ...fields }));
      assert.equal(explanation?.diagnosis, diagnosis, JSON.stringify(explanation));
      assert.match(explanation?.text ?? "", says);
      assert.equal(explanation?.configPath, configPath);
    });

  it("an entry that reports no failure has no explanation", () => {
    for (const entry of [
      { ...CONTEXT, type: "auth", path: "/token" },
      { ...CONTEXT, type: "fetcher", responseCode: 200 },
      { ...CONTEXT, type: "invocation", duration: 3 },
      { ...CONTEXT, type: "custom", message: "hello", level: "info" },
      { ...CONTEXT, type: "unknown", typeName: "new", raw: "{}" },
    ] satisfies readonly LogEntry[])
      assert.equal(explainLog(entry, packOf(OAUTH)), undefined, entry.type);
  });

  it("masks what may be a credential, and is short, whatever the platform's words are", () => {
    const token = "canary4f1d7a9c2b60e835";
    for (const words of [
      `refused {"access_token":"${token}"}`,
      `error=odd_code&error_description=${token}`,
      `{"error":"${token}"}`,
      `invalid_grant for ${token}`,
      `401 - {"message":"token ${token} is bad"}`,
      `${"x ".repeat(50_000)}`,
    ])
      for (const entry of [
        auth(words),
        { ...CONTEXT, type: "invocation", error: { message: words } },
        { ...CONTEXT, type: "mcp", error: { message: `MCP error -1: ${words}` } },
      ] satisfies readonly LogEntry[]) {
        const { text = "" } = explainLog(entry, packOf(OAUTH)) ?? {};
        assert.ok(!text.includes(token), text);
        assert.ok(text.length < 1_500, `${text.length}`);
      }
  });

  it("a message that repeats the beginning of a member is explained in bounded time", () => {
    const started = performance.now();
    explainLog(auth(`"error":"${'\\"'.repeat(100_000)}`), packOf(OAUTH));
    assert.ok(performance.now() - started < 1_000);
  });
});
