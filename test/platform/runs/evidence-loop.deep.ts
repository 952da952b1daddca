// From what a provider or an API does to a source that works with it: a sign-in and a run, one diagnostic, its fix as it is offered, the
// same once more. Each server is one that a pack meets outside, and judges for itself.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "../../../platform/connect/connect.ts";
import { usableAccount } from "../../../platform/connect/usable-account.ts";
import { openEvidence } from "../../../platform/evidence/evidence.ts";
import { keepRunFacts } from "../../../platform/evidence/run-facts.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { pack } from "../../support/open-packs.ts";
import { packFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";
import { shopOfSuite, type Trial } from "../../support/shop.ts";
import type { WireRequest } from "../../support/wire.ts";

interface CannedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request of the pack, of the token endpoint with its form, or of the authorization endpoint with its query. */
interface CannedRequest extends WireRequest {
  readonly url: URL;
  readonly form: URLSearchParams;
  /** What the browser was last sent to the authorization endpoint with. */
  readonly authorized: URLSearchParams;
}

type Server = (request: CannedRequest) => CannedResponse;

const TOKEN = { access_token: "token-7c1e5d3b9a", refresh_token: "refresh-7c1e5d3b9a", expires_in: 3600, token_type: "Bearer" };
const refusal = (error: string, error_description?: string): CannedResponse => ({ status: 400, body: { error, error_description } });
const UNAUTHORIZED: CannedResponse = { status: 401, body: { error: "unauthorized" } };
const ITEMS: CannedResponse = { body: { items: [{ id: "1" }] } };

/** The token endpoint answers by the case; the API takes the access token as the standard has it. */
const provider =
  (token: Server): Server =>
  (request) => {
    if (request.url.pathname.endsWith("/token")) return token(request);
    return request.headers.authorization === `Bearer ${TOKEN.access_token}` ? ITEMS : UNAUTHORIZED;
  };

/** Signs anybody in; the API answers by the case. */
const api =
  (respond: Server): Server =>
  (request) =>
    request.url.pathname.endsWith("/token") ? { body: TOKEN } : respond(request);

interface Case {
  /** Between the braces of setUserAuthentication, with `«»` around what is flagged; the formula where it is about that. */
  readonly auth: string;
  readonly formula?: string;
  readonly server: Server;
  readonly rule: string;
  /** The sign-in takes long enough for its page to be asked. */
  readonly isSlow?: boolean;
}

const OAUTH2 = `type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token"`;
const READ = `    const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/items" });
    return answer.body.items.length;`;

const CASES: Readonly<Record<string, Case>> = {
  "a refresh token only for offline_access": {
    auth: OAUTH2.replace('"https://login.shop.example/authorize"', '«"https://login.shop.example/authorize"»'),
    server: provider(({ authorized }) => {
      const { refresh_token, ...rest } = TOKEN;
      return { body: authorized.get("scope")?.split(" ").includes("offline_access") ? { refresh_token, ...rest } : rest };
    }),
    rule: "seen-no-refresh-token",
  },
  "a secret accepted only by HTTP Basic": {
    auth: OAUTH2.replace("type: coda.AuthenticationType.OAuth2", "«type: coda.AuthenticationType.OAuth2»"),
    server: provider(({ headers }) =>
      headers.authorization?.startsWith("Basic ") ? { body: TOKEN } : { status: 401, body: { error: "invalid_client" } },
    ),
    rule: "seen-client-authentication",
  },
  "a token in an object": {
    auth: OAUTH2.replace("type: coda.AuthenticationType.OAuth2", "«type: coda.AuthenticationType.OAuth2»"),
    server: provider(() => ({ body: { authed_user: TOKEN } })),
    rule: "seen-nested-token",
  },
  "the address of the account's API": {
    auth: OAUTH2.replace("type: coda.AuthenticationType.OAuth2", "«type: coda.AuthenticationType.OAuth2»"),
    formula: READ.replace('"https://api.shop.example/items"', 'context.endpoint ? "/items" : "https://api.shop.example/items"'),
    server: provider(() => ({ body: { ...TOKEN, instance_url: "https://na1.shop.example" } })),
    rule: "seen-endpoint-in-token",
  },
  "a scope that is not granted": {
    auth: `${OAUTH2},\n  «scopes»: ["read", "write"]`,
    server: provider(() => ({ body: { ...TOKEN, scope: "read" } })),
    rule: "seen-scopes-differ",
  },
  "a wrong scopeDelimiter": {
    auth: `${OAUTH2},\n  scopes: ["read", "write"],\n  «scopeDelimiter»: ";"`,
    server: provider(({ authorized }) => ({ body: { ...TOKEN, scope: authorized.get("scope")?.includes(";") ? "none" : "read write" } })),
    rule: "seen-scopes-differ",
  },
  "a missing scopeDelimiter for commas": {
    auth: `${OAUTH2},\n  «scopes»: ["read", "write"]`,
    server: provider(({ authorized }) =>
      authorized.get("scope")?.includes(",")
        ? { body: { ...TOKEN, scope: "read,write" } }
        : refusal("invalid_scope", `There is no scope "${authorized.get("scope")}"`),
    ),
    rule: "seen-scopes-differ",
  },
  "a demand for PKCE": {
    auth: OAUTH2.replace("type: coda.AuthenticationType.OAuth2", "«type: coda.AuthenticationType.OAuth2»"),
    server: provider(({ form }) =>
      form.has("code_verifier") || form.get("grant_type") !== "authorization_code"
        ? { body: TOKEN }
        : refusal("invalid_request", "PKCE is required: code_verifier is missing"),
    ),
    rule: "seen-pkce",
  },
  "a refusal of PKCE": {
    auth: `${OAUTH2},\n  «useProofKeyForCodeExchange»: true`,
    server: provider(({ form }) =>
      form.has("code_verifier") ? refusal("invalid_request", "PKCE is not supported, remove code_verifier") : { body: TOKEN },
    ),
    rule: "seen-pkce",
  },
  "a token endpoint that has moved": {
    auth: OAUTH2.replace("tokenUrl:", "«tokenUrl»:"),
    server: provider(({ url }) =>
      url.pathname === "/v2/token" ? { body: TOKEN } : { status: 308, headers: { location: "https://login.shop.example/v2/token" } },
    ),
    rule: "seen-url-moved",
  },
  "an authorization endpoint that has moved": {
    auth: OAUTH2.replace("authorizationUrl:", "«authorizationUrl»:"),
    server: (request) =>
      request.url.pathname === "/authorize"
        ? { status: 301, headers: { location: `https://login.shop.example/v2/authorize${request.url.search}` } }
        : request.url.pathname === "/v2/authorize"
          ? { body: "Sign in" }
          : provider(() => ({ body: TOKEN }))(request),
    rule: "seen-url-moved",
    isSlow: true,
  },
  "another scheme of an access token": {
    auth: OAUTH2.replace("type: coda.AuthenticationType.OAuth2", "«type: coda.AuthenticationType.OAuth2»"),
    server: api(({ headers }) =>
      headers.authorization === `token ${TOKEN.access_token}`
        ? ITEMS
        : { ...UNAUTHORIZED, headers: { "www-authenticate": 'token realm="shop"' } },
    ),
    rule: "seen-token-prefix",
  },
  "another scheme of an API key": {
    auth: "«type: coda.AuthenticationType.HeaderBearerToken»",
    server: api(({ headers }) =>
      headers.authorization?.startsWith("Token ") ? ITEMS : { ...UNAUTHORIZED, headers: { "www-authenticate": "Token" } },
    ),
    rule: "seen-token-prefix",
  },
  "another scheme of one header of several": {
    auth: 'type: coda.AuthenticationType.MultiHeaderToken,\n  headers: [{ name: "X-App", description: "App" }, «{ name: "Authorization", description: "Token" }»]',
    server: api(({ headers }) =>
      headers.authorization?.startsWith("Key ") && headers["x-app"] ? ITEMS : { ...UNAUTHORIZED, headers: { "www-authenticate": "Key" } },
    ),
    rule: "seen-token-prefix",
  },
  "another header": {
    auth: "«type: coda.AuthenticationType.HeaderBearerToken»",
    server: api(({ headers }) => (headers["x-api-key"] ? ITEMS : { status: 401, body: { message: "Missing X-Api-Key header" } })),
    rule: "seen-header-name",
  },
  "another header, named in the place of a scheme": {
    auth: "«type: coda.AuthenticationType.HeaderBearerToken»",
    server: api(({ headers }) =>
      headers["x-api-key"] ? ITEMS : { ...UNAUTHORIZED, headers: { "www-authenticate": 'X-API-Key realm="PowerDNS"' } },
    ),
    rule: "seen-header-name",
  },
  "one more header": {
    auth: 'type: coda.AuthenticationType.MultiHeaderToken,\n  «headers»: [{ name: "X-App", description: "App" }]',
    server: api(({ headers }) => (headers["x-api-key"] ? ITEMS : { status: 401, body: { message: "The X-Api-Key header is required" } })),
    rule: "seen-header-name",
  },
  "the query": {
    auth: "«type: coda.AuthenticationType.HeaderBearerToken»",
    server: api(({ url }) =>
      url.searchParams.has("api_key") ? ITEMS : { status: 401, body: { error: "missing query parameter api_key" } },
    ),
    rule: "seen-token-in-query",
  },
  "the query, of an access token": {
    auth: OAUTH2.replace("type: coda.AuthenticationType.OAuth2", "«type: coda.AuthenticationType.OAuth2»"),
    server: api(({ url }) =>
      url.searchParams.has("access_token") ? ITEMS : { status: 401, body: { error: "missing query parameter access_token" } },
    ),
    rule: "seen-token-in-query",
  },
  "one more parameter of the query": {
    auth: 'type: coda.AuthenticationType.MultiQueryParamToken,\n  «params»: [{ name: "app", description: "App" }]',
    server: api(({ url }) =>
      url.searchParams.has("api_key") ? ITEMS : { status: 403, body: { error: "missing query parameter api_key" } },
    ),
    rule: "seen-token-in-query",
  },
  "a host that is not declared": {
    auth: "type: coda.AuthenticationType.HeaderBearerToken",
    formula: `    «const answer = await context.fetcher.fetch({ method: "GET", url: hostOf(context) + "/items" });»
    return answer.body.items.length;`,
    server: api(() => ITEMS),
    rule: "seen-host-refused",
  },
  "a request that nobody awaits": {
    auth: "type: coda.AuthenticationType.HeaderBearerToken",
    formula: `    «context.fetcher.fetch({ method: "POST", url: "https://api.shop.example/items" });»
    return 1;`,
    server: api(() => ITEMS),
    rule: "seen-request-not-awaited",
  },
};

const source = (auth: string, formula: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const hostOf = (context: coda.ExecutionContext) => ["https://api", [...context.timezone].map(() => "").join("") + "elsewhere", "example"].join(".");
pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({
  ${auth},
});
pack.addFormula({
  name: "Read",
  description: "Reads.",
  parameters: [],
  resultType: coda.ValueType.Number,
  execute: async function ([], context) {
${formula}
  },
});
`;

describe("Evidence of a sign-in or a run and its fix", function () {
  this.timeout(30_000);
  const shop = shopOfSuite();

  /** Signs in and runs; what failed is no error here. */
  async function attempt(loadedPack: Pack, { host, accounts }: Pick<Trial, "host" | "accounts">, isSlow: boolean): Promise<string> {
    const connected = await connect(loadedPack, {
      scope: "user",
      packName: "shop",
      host,
      accounts,
      redirect: { host: "localhost", port: 0, path: "/oauth" },
      world: { lookup: shop.wire.lookup },
      ...(isSlow ? { pageDelay: 1 } : {}),
    }).catch((error: unknown) => error as Error);
    if (connected === undefined || connected instanceof Error) return `no sign-in: ${connected?.message}`;
    const account = await usableAccount(loadedPack, connected.account, { accounts, host, sandbox: () => assert.fail() });
    const report = await run(loadedPack, { kind: "formula", name: "Read" }, [], {
      fetch: shop.wire.fetch,
      lookup: shop.wire.lookup,
      account,
    });
    // Before a process stands ready for a next run.
    loadedPack.dispose();
    await keepRunFacts(host, loadedPack, report, account);
    return report.outcome.status === "failed" ? report.outcome.error.message : report.outcome.status;
  }

  async function slowly(url: string): Promise<boolean> {
    const { searchParams } = new URL(url);
    const back = `${searchParams.get("redirect_uri")}?code=the-code&state=${searchParams.get("state")}`;
    setTimeout(() => void fetch(back), 300);
    return true;
  }

  function diagnosed({ host }: Pick<Trial, "host">, entry: string) {
    const analysis = createAnalysis({ readFile: (path) => (path === entry ? readFileSync(path, "utf8") : undefined) });
    analysis.addCandidates([entry]);
    analysis.setEvidence(openEvidence(host).facts());
    return analysis.diagnostics(entry).filter(({ rule }) => rule.startsWith("seen-"));
  }

  for (const [what, each] of Object.entries(CASES)) {
    it(`${what} is fixed by the quick fix of ${each.rule}`, async () => {
      const { auth, formula = READ, server, rule, isSlow = false } = each;
      const marked = source(auth, formula);
      const plain = marked.replaceAll(/[«»]/g, "");
      const [start, end] = [marked.indexOf("«"), marked.indexOf("»") - 1];
      const entry = packFiles({ "pack.ts": plain });
      const loadedPack = await pack(entry);
      const trial = await shop.trial(loadedPack, { ...(isSlow ? { openBrowser: slowly } : {}), replies: { "": "value-8f3a5c" } });
      shop.wire.respond = (request, response) => {
        const url = new URL(request.path, `https://${request.host}`);
        const authorized = new URL(trial.host.openedUrls.at(-1) ?? "https://login.shop.example/").searchParams;
        const cannedResponse = server({ ...request, url, form: new URLSearchParams(request.body), authorized });
        response.writeHead(cannedResponse.status ?? 200, { "content-type": "application/json", ...cannedResponse.headers });
        response.end(JSON.stringify(cannedResponse.body ?? {}));
      };
      const first = await attempt(loadedPack, trial, isSlow);
      const diagnostics = diagnosed(trial, entry);
      assert.deepEqual(
        diagnostics.map((diagnostic) => [diagnostic.rule, diagnostic.place.start, diagnostic.place.end]),
        [[rule, start, end]],
        first,
      );
      const fix = diagnostics[0]?.fixes?.[0];
      assert.ok(fix, "there is a fix");
      let text = plain;
      for (const edit of [...fix.edits].sort((a, b) => b.start - a.start))
        text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
      writeFileSync(entry, text);
      assert.equal(await attempt(await pack(entry), trial, isSlow), "succeeded", text);
      assert.deepEqual(diagnosed(trial, entry), []);
      assert.deepEqual(openEvidence(trial.host).facts(), [], "disproved by what worked");
    });
  }
});
