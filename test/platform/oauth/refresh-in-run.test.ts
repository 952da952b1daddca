// What happens to a run whose tokens run out under way: renewed as often as that is, once for all that were refused with the same one,
// and what is cached stays found.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type Account, type Accounts, openAccounts } from "../../../platform/accounts/accounts.ts";
import type { RunAccount } from "../../../platform/accounts/run-account.ts";
import { usableAccount } from "../../../platform/connect/usable-account.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import { createFetchCache, type FetchCache } from "../../../platform/requests/fetch-cache.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { oauthCredential, storeAccount } from "../../support/oauth-account.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { run } from "../../support/run.ts";
import { value } from "../../support/run-pack.ts";
import { wireOfSuite } from "../../support/wire.ts";

const PAGES = 8;
const AT_ONCE = 5;

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.good.com/authorize", tokenUrl: "https://login.good.com/token" });
const get = async (context: any, url: string, more = {}) => (await context.fetcher.fetch({ method: "GET", url, ...more })).body;
pack.addSyncTable({ name: "Items", identityName: "Item", description: "Items.", schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncItems", description: "Items.", parameters: [], execute: async (_: any, context: any) => {
    const page = context.sync.continuation?.page ?? 1;
    const all = await Promise.all(Array.from({ length: ${AT_ONCE} }, (_each, index) => get(context, "https://good.com/items/" + page + "/" + index)));
    return { result: all.map(({ id }: any) => ({ id })), ...(page < ${PAGES} ? { continuation: { page: page + 1 } } : {}) };
  } } });
pack.addFormula({ name: "Kept", description: "Kept.", parameters: [], resultType: coda.ValueType.String,
  execute: async (_: any, context: any) => JSON.stringify(await get(context, "https://good.com/kept", { cacheTtlSecs: 600 })) });
pack.addFormula({ name: "Own", description: "Own.", parameters: [], resultType: coda.ValueType.String,
  execute: async (_: any, context: any) => { try { return await get(context, "https://good.com/kept"); } catch { throw new coda.UserVisibleError("It does not work."); } } });
pack.addFormula({ name: "Plain", description: "Plain.", parameters: [], resultType: coda.ValueType.String,
  execute: async (_: any, context: any) => JSON.stringify(await get(context, "https://good.com/plain", { cacheTtlSecs: 0 })) });
pack.addFormula({ name: "Mixed", description: "Mixed.", parameters: [], resultType: coda.ValueType.String, execute: async (_: any, context: any) => {
  const seen: any[] = [];
  for (let i = 0; i < 4; i++) for (const path of ["good", "forbidden"])
    seen.push(await context.fetcher.fetch({ method: "GET", url: "https://good.com/" + path + "/" + i, cacheTtlSecs: 0 }).then((r: any) => r.status, (error: any) => error.statusCode));
  return seen.join();
} });
`;

describe("A run whose tokens expire", () => {
  const wire = wireOfSuite();
  let testPack: Pack;
  let host: TestHost;
  let accounts: Accounts;
  /** The number of the token that is good now; the others have run out. */
  let good: number;
  /** Numbers of the tokens that were refreshed, in order. */
  let refreshed: string[];
  /** Told of each request to the API before it is answered. */
  let onApiRequest: (path: string, token: number) => Promise<void> | void;
  before(async () => {
    testPack = await pack(packFiles({ "pack.ts": SOURCE }));
  });
  after(() => {
    closePacks();
    removePackFiles();
  });
  beforeEach(() => {
    good = 1;
    refreshed = [];
    onApiRequest = () => {};
    host = { ...makeHost({ fetch: wire.fetch }), now: () => 0 };
    accounts = openAccounts(host);
    wire.respond = async ({ host: name, path, headers, body }, response) => {
      const json = (status: number, content: unknown): unknown =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
      if (name === "login.good.com") {
        refreshed.push(new URLSearchParams(body).get("refresh_token") ?? "");
        good++;
        return json(200, { access_token: `access-token-${good}`, refresh_token: `refresh-token-${good}`, token_type: "Bearer" });
      }
      const token = Number(/^Bearer access-token-(\d+)$/.exec(headers.authorization ?? "")?.[1]);
      await onApiRequest(path, token);
      return token === good && !path.startsWith("/forbidden") ? json(200, { id: path, by: token }) : json(401, {});
    };
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  const stored = async (): Promise<Account> => {
    const auth = testPack.definition.userAuthentication;
    assert.ok(auth);
    const tokens = { access: "access-token-1", refresh: "refresh-token-1" };
    return (await storeAccount(accounts, auth, tokens)).account;
  };
  const use = (account: Account): Promise<RunAccount> =>
    usableAccount(testPack, account, { accounts, host, sandbox: () => assert.fail("it was asked for") });
  const go = (account: RunAccount, name: string, fetchCache?: FetchCache): Promise<RunReport> =>
    run(testPack, { kind: name === "Items" ? "syncTable" : "formula", name }, [], {
      fetch: wire.fetch,
      lookup: wire.lookup,
      account,
      ...(fetchCache === undefined ? {} : { fetchCache }),
    });
  const apiCalls = () => wire.requests.filter(({ host: name }) => name === "good.com");

  it("auth-spec 5.5.7: a table read over four token lifetimes refreshes once for all requests refused together", async () => {
    const endedPages = new Set<string>();
    onApiRequest = (path, token) => {
      const page = path.split("/")[2] ?? "";
      // The first request of every other page ends the token that it comes with.
      if (Number(page) % 2 === 1 && page !== "1" && !endedPages.has(page)) {
        endedPages.add(page);
        if (token === good) good += 0.5;
      }
    };
    const respond = wire.respond;
    wire.respond = (request, response, raw) => {
      if (request.host === "login.good.com") good = Math.floor(good);
      return respond(request, response, raw);
    };
    const report = await go(await use(await stored()), "Items");
    assert.equal((value(report) as unknown[]).length, PAGES * AT_ONCE);
    assert.deepEqual(refreshed, ["refresh-token-1", "refresh-token-2", "refresh-token-3"]);
    // Each refused request once more, and no other one twice.
    assert.equal(apiCalls().length, PAGES * AT_ONCE + 3 * AT_ONCE);
    for (const page of ["3", "5", "7"])
      assert.equal(report.requests.filter(({ url, status }) => url.includes(`/items/${page}/`) && status === 401).length, AT_ONCE);
    assert.ok(!/(access|refresh)-token/.test(JSON.stringify(report)));
  });

  it("a late 401 retries with the current token without another refresh", async () => {
    good = 1.5;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    onApiRequest = (path, token) => {
      if (path === "/items/1/0" && token === 1) return released;
      if (token === 2) release();
      return undefined;
    };
    const respond = wire.respond;
    wire.respond = (request, response, raw) => {
      if (request.host === "login.good.com") good = Math.floor(good);
      return respond(request, response, raw);
    };
    const report = await go(await use(await stored()), "Items");
    assert.equal((value(report) as unknown[]).length, PAGES * AT_ONCE);
    assert.deepEqual(refreshed, ["refresh-token-1"]);
  });

  it("requests to an API that refuses every token refresh once", async () => {
    const report = await go(await use(await stored()), "Mixed");
    assert.equal(value(report), "200,401,200,401,200,401,200,401");
    assert.equal(refreshed.length, 1);
  });

  it("a failed refresh is reported in place of the API's refusal", async () => {
    good = 1.5;
    const respond = wire.respond;
    wire.respond = (request, response, raw) =>
      request.host === "login.good.com"
        ? response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}')
        : request.path === "/kept"
          ? response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end()
          : respond(request, response, raw);
    const account = await stored();
    const refusalPattern = /^login\.good\.com refused to issue a token, because the refresh token is expired.* Sign in again\./;
    for (const [name, field] of [
      ["Kept", "message"],
      ["Own", "hint"],
    ] as const) {
      const { outcome } = await go(await use(account), name);
      assert.ok(outcome.status === "failed");
      const { message, hint, configPath } = outcome.error;
      assert.match({ message, hint }[field] ?? "", refusalPattern);
      assert.equal(field === "hint" ? message : hint, field === "hint" ? "It does not work." : undefined);
      assert.equal(configPath, "userAuthentication");
    }
  });

  it("cached answers survive a refresh but not the next sign-in", async () => {
    const account = await stored();
    const cache = createFetchCache();
    const first = value(await go(await use(account), "Kept", cache));
    assert.equal(first, '{"id":"/kept","by":1}');
    good = 1.5;
    const usable = await use(account);
    const renewed = await usable.refresh?.(usable.credential);
    assert.equal(renewed?.isNew, true);
    assert.equal(value(await go(usable, "Kept", cache)), first);
    assert.equal(value(await go(await use(account), "Kept", cache)), first);
    assert.equal(apiCalls().length, 1);
    good = 9;
    await accounts.save(account, oauthCredential({ access: "access-token-9", refresh: "refresh-token-9" }));
    assert.equal(value(await go(await use(account), "Kept", cache)), '{"id":"/kept","by":9}');
  });

  it("a run whose account was signed in again caches nothing under the former sign-in", async () => {
    const account = await stored();
    const cache = createFetchCache();
    const usable = await use(account);
    good = 9;
    await accounts.save(account, oauthCredential({ access: "access-token-9", refresh: "refresh-token-9" }));
    assert.equal(value(await go(usable, "Kept", cache)), '{"id":"/kept","by":9}');
    assert.deepEqual(refreshed, []);
    assert.equal(value(await go(await use(account), "Kept", cache)), '{"id":"/kept","by":9}');
    // The former sign-in's first request, its retry, and the one of the next run.
    assert.equal(apiCalls().length, 3);
  });

  describe("An API that does not answer an expired token with 401", () => {
    const ONLY_AFTER_401 = /The platform renews a token only after a formula fails with a 401 StatusCodeError\./;
    const json = { "content-type": "application/json" };
    /** A run of a formula that gets this answer to its one request, and what the report says of it. */
    const runWithResponse = async (status: number, body: string, headers: Readonly<Record<string, string>> = json, more = {}) => {
      wire.respond = (_request, response) => response.writeHead(status, headers).end(body);
      const account = { ...(await use(await stored())), ...more };
      const { outcome, platformDifferences } = await go(account, "Plain");
      return {
        hint: outcome.status === "failed" ? (outcome.error.hint ?? "") : "",
        messages: platformDifferences.map(({ message }) => message),
      };
    };
    const withoutRefreshToken = { credential: { kind: "oauth2", accessToken: "access-token-1" } };

    it("an early renewal notes that the platform renews only after a 401", async () => {
      host = { ...host, now: () => 2_000 };
      const account = await use(await stored());
      assert.deepEqual(refreshed, ["refresh-token-1"]);
      const { outcome, platformDifferences } = await go(account, "Plain");
      assert.equal(outcome.status, "succeeded");
      assert.match(platformDifferences.map(({ message }) => message).join(), ONLY_AFTER_401);
      host = { ...host, now: () => 0 };
      assert.deepEqual((await go(await use(await stored()), "Plain")).platformDifferences, [], "a token that is good needs no note");
    });

    it("a 403 with a refresh token hints how to distinguish expiry from a missing right", async () => {
      const { hint } = await runWithResponse(403, "");
      assert.match(
        hint,
        /^The API forbids this request\. Use an account or a token that has the right for this request\..* To tell an expired token from a missing right, refresh the account/,
      );
      assert.match(hint, ONLY_AFTER_401);
      assert.doesNotMatch((await runWithResponse(403, "", json, withoutRefreshToken)).hint, /accounts refresh/);
    });

    for (const [what, status, body, headers] of [
      ["400 token_expired", 400, '{"error":"token_expired"}', json],
      [
        "400 with words in XML",
        400,
        "<error><exceptionCode>InvalidSessionId</exceptionCode></error>",
        { "content-type": "application/xml" },
      ],
      ["403 with words", 403, '{"message":"The access token has expired."}', json],
      ["404 with words", 404, '{"message":"Access token expired"}', json],
      ["400 with a challenge", 400, "", { "www-authenticate": 'Bearer error="invalid_token", error_description="The token expired"' }],
      [
        "200 with a list of errors",
        200,
        '{"requestId":"e42b","success":false,"errors":[{"code":"602","message":"Access token expired"}]}',
        json,
      ],
    ] as const)
      it(`a ${what} that reports an expired token notes that the platform does not renew it`, async () => {
        const { messages, hint } = await runWithResponse(status, body, headers);
        assert.match(
          messages.join(),
          new RegExp(`^GET https://good.com/plain was answered with ${status}, and the answer says that the token`),
        );
        assert.match(messages.join(), ONLY_AFTER_401);
        if (status >= 400) assert.match(hint, /\S/);
        const without = await runWithResponse(status, body, headers, withoutRefreshToken);
        assert.doesNotMatch(`${without.messages} ${without.hint}`, ONLY_AFTER_401, "an account that cannot be renewed");
      });

    for (const [what, status, body] of [
      ["a refused page token", 400, '{"message":"The page token has expired."}'],
      ["another refusal", 400, '{"message":"Invalid date"}'],
      ["data that mentions an expired token", 200, '{"events":[{"message":"Access token expired"}]}'],
      ["a row with an error of its own", 200, '{"id":7,"name":"x","error":"Access token expired"}'],
    ] as const)
      it(`${what} does not count as an expired token`, async () => {
        const { messages, hint } = await runWithResponse(status, body);
        assert.doesNotMatch(`${messages} ${hint}`, ONLY_AFTER_401);
      });
  });
});
