// Saved tests that run with the real API: what is a change of it, and what is never sent.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { RunAccount } from "../../../platform/accounts/run-account.ts";
import { type LiveOptions, type LiveResult, runLive, whyNotTried } from "../../../platform/recordings/live.ts";
import { testOf } from "../../../platform/recordings/record-test.ts";
import type { SavedTest } from "../../../platform/recordings/saved-test.ts";
import type { ParameterValue, RunTarget } from "../../../protocol/run.ts";
import { recordRun } from "../../support/run.ts";
import { formula, RUN_PACK, runsOfSuite } from "../../support/run-pack.ts";
import type { Responder } from "../../support/wire.ts";

const account: RunAccount = { scope: "user", credential: { kind: "token", token: "canary-of-the-credential" } };
const CANARY = "canary-of-the-answer";

const SOURCE = `${RUN_PACK}
pack.addNetworkDomain("new.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
const Optional = { connectionRequirement: coda.ConnectionRequirement.Optional };
const method = (name: string, init: any) => formula(name, async (args: any, context: any) => {
  await context.fetcher.fetch({ method: "GET", url: "https://good.com/items" });
  try { return JSON.stringify((await context.fetcher.fetch({ url: "https://good.com/items", ...init() })).body); } catch { return "swallowed"; }
}, Optional);
formula("Read", async (args: any, context: any) => JSON.stringify(await get(context, "https://good.com/items?page=1")), Optional);
formula("Pages", async (args: any, context: any) => {
  let count = 0;
  for (let url = "https://good.com/pages?at=0"; url; ) { const body = await get(context, url); count += body.items.length; url = body.next; }
  return String(count);
}, Optional);
formula("Details", async (args: any, context: any) => {
  const { items } = await get(context, "https://good.com/items");
  for (const { id } of items) await get(context, "https://good.com/items/" + id);
  return "done";
}, Optional);
formula("Switch", async (args: any, context: any) => {
  const { items } = await get(context, "https://good.com/items");
  if (items[0].more) await get(context, "https://good.com/more");
  return "done";
}, Optional);
formula("Follow", async (args: any, context: any) => {
  const { items } = await get(context, "https://good.com/items");
  await get(context, "https://good.com/" + (items[0].link ?? "items") + "/" + items[0].name);
  return "done";
}, Optional);
formula("Profile", async (args: any, context: any) => {
  const me = await get(context, "https://good.com/me");
  await get(context, "https://good.com/users/" + encodeURIComponent(me.login));
  for (const { full_name } of me.repositories) await get(context, "https://good.com/repos/" + full_name + "/issues");
  if (me.url) await get(context, me.url);
  return "done";
}, Optional);
formula("Caught", async (args: any, context: any) => {
  try { return JSON.stringify(await get(context, "https://good.com/items")); } catch (error) { return 0 as any; }
}, Optional);
formula("Picky", async (args: any, context: any) => {
  const { items } = await get(context, "https://good.com/items");
  if (items[0].name !== "a") throw new coda.UserVisibleError("no a");
  return "done";
}, Optional);
const Row = coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number } }, idProperty: "id", displayProperty: "id" } as any);
pack.addSyncTable({ name: "Rows", description: "Rows", identityName: "Row", schema: Row, connectionRequirement: coda.ConnectionRequirement.Optional,
  formula: { name: "SyncRows", description: "Rows", parameters: [], execute: async (args: any, context: any) => {
    const { page = 1, method = "GET" } = (context.sync.continuation ?? {}) as any;
    const { body } = await context.fetcher.fetch({ method, url: "https://good.com/rows?page=" + page, cacheTtlSecs: 0 });
    return { result: body.rows, ...(body.more ? { continuation: { page: page + 1, method: body.method ?? "GET" } } : {}) };
  } } } as any);
method("Override", () => ({ method: "GET", headers: { "X-HTTP-Method-Override": "DELETE" } }));
method("Head", () => ({ method: "HEAD" }));
method("Write", () => ({ method: "POST", body: "{}" }));
`;

const json = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const ITEM = { id: 1, name: "a", due: "today" };

describe("A saved test with the real API", function () {
  this.timeout(60_000);
  const suite = runsOfSuite(SOURCE);
  const { wire } = suite;
  const answer =
    (item: unknown): Responder =>
    (_, response) =>
      json(response, { items: [item] });
  const record = async (name: string, respond: Responder = answer(ITEM), target: RunTarget = formula(name)): Promise<SavedTest> => {
    wire.respond = respond;
    const parameters: readonly ParameterValue[] = [];
    const recorded = await recordRun(suite.openedPack, target, parameters, { fetch: wire.fetch, lookup: wire.lookup, account });
    return testOf(recorded, "pack.ts");
  };
  const live = (test: SavedTest, respond: Responder, more: Partial<LiveOptions> = {}): Promise<LiveResult> => {
    wire.requests.length = 0;
    wire.respond = respond;
    return runLive(suite.openedPack, test, wire.fetch, { lookup: wire.lookup, account, actions: false, originAnswers: new Map(), ...more });
  };
  const rules = ({ reasons }: LiveResult): readonly (string | undefined)[] => reasons.map(({ rule }) => rule);

  it("the same shape with other values is unchanged", async () => {
    const result = await live(await record("Read"), answer({ id: 7, name: CANARY, due: null, more: CANARY }));
    assert.deepEqual(result, { status: "unchanged", reasons: [] });
    assert.equal(wire.requests[0]?.headers.authorization, "Bearer canary-of-the-credential");
  });

  const changes: readonly (readonly [what: string, respond: Responder, rule: string, message: RegExp])[] = [
    ["a lost field", answer({ id: 1, name: CANARY }), "api-field-lost", /items: items\/\*\/due \(string\) is gone\./],
    [
      "a renamed field",
      answer({ id: 1, name: CANARY, dueOn: "x" }),
      "api-field-renamed",
      /items\/\*\/due \(string\) is probably renamed to dueOn/,
    ],
    ["another type", answer({ id: CANARY, name: "a", due: "x" }), "api-type-changed", /items\/\*\/id was number, and is string\./],
    [
      "HTML",
      (_, response) => void response.setHeader("content-type", "text/html").end(`<html>${CANARY}`),
      "api-content-changed",
      /answers with HTML/,
    ],
    [
      "invalid JSON",
      (_, response) => void response.setHeader("content-type", "application/json").end(`{"items":["${CANARY}`),
      "api-content-changed",
      /answers with invalid JSON, and answered with JSON/,
    ],
    [
      "a redirect without an end",
      ({ path }, response) => json(response, {}, 302, { location: `${path}&${CANARY}` }),
      "api-status-changed",
      /it redirects too often/,
    ],
    ["404", (_, response) => json(response, { error: CANARY }, 404), "api-status-changed", /it answered 404, and 200 when/],
    [
      "a redirect to another declared host",
      ({ host }, response) =>
        host === "good.com"
          ? json(response, {}, 302, { location: `https://new.com/items?key=${CANARY}` })
          : json(response, { items: [ITEM] }),
      "api-host-moved",
      /it redirects to new\.com\./,
    ],
    [
      "a redirect to a host that is not declared",
      (_, response) => json(response, {}, 301, { location: `https://other.com/${CANARY}` }),
      "api-host-moved",
      /it redirects to other\.com\. The pack does not declare/,
    ],
    [
      "a new scheme",
      (_, response) => json(response, { error: CANARY }, 401, { "www-authenticate": `DPoP realm="${CANARY}"` }),
      "api-authentication-changed",
      /asks for dpop\. The credential is sent as Bearer/,
    ],
    [
      "a scheme that nobody knows",
      (_, response) => json(response, {}, 401, { "www-authenticate": `${CANARY} realm="x"` }),
      "api-authentication-changed",
      /asks for another scheme/,
    ],
  ];
  for (const [what, respond, rule, message] of changes)
    it(`${what} is a change, and no value is in its text`, async () => {
      const result = await live(await record("Read"), respond);
      assert.equal(result.status, "changed", JSON.stringify(result));
      assert.equal(rules(result)[0], rule);
      assert.match(result.reasons[0]?.message ?? "", message);
      assert.equal(result.reasons[0]?.request?.url, "https://good.com/items?page=1");
      assert.doesNotMatch(JSON.stringify(result.reasons.map((reason) => reason.message)), /canary/i);
    });

  const obstacles: readonly (readonly [what: string, respond: Responder, message: RegExp])[] = [
    ["429", (_, response) => json(response, {}, 429), /it answered 429, because too many/],
    ["403 with Retry-After", (_, response) => json(response, {}, 403, { "retry-after": "9" }), /it answered 403, because too many/],
    ["500", (_, response) => json(response, { error: CANARY }, 500), /it answered 500\. Try again later/],
    ["408", (_, response) => json(response, {}, 408), /it answered 408\. Try again later/],
    ["204", (_, response) => void response.writeHead(204).end(), /it answered 204 with nothing/],
    ["an emptied object", (_, response) => json(response, {}), /Most recorded fields have no counterpart/],
    ["no answer", (_, response) => void response.destroy(), /no complete answer came\. good\.com closed the connection\. Check/],
    [
      "401 with the same scheme",
      (_, response) => json(response, {}, 401, { "www-authenticate": "Bearer" }),
      /refused the credential with 401/,
    ],
    ["an empty list", (_, response) => json(response, { items: [] }), /Most recorded fields have no counterpart/],
  ];
  for (const [what, respond, message] of obstacles)
    it(`${what} is inconclusive`, async () => {
      const result = await live(await record("Read"), respond);
      assert.deepEqual([result.status, rules(result)], ["inconclusive", [undefined]]);
      assert.match(result.reasons[0]?.message ?? "", message);
    });

  it("another number of pages is unchanged, and a first page without a next is inconclusive", async () => {
    const pages =
      (count: number): Responder =>
      ({ path }, response) => {
        const at = Number(/at=(\d+)/.exec(path)?.[1]);
        json(response, { items: [ITEM], ...(at + 1 < count ? { next: `https://good.com/pages?at=${at + 1}` } : {}) });
      };
    const test = await record("Pages", pages(3));
    for (const count of [2, 4]) assert.deepEqual(await live(test, pages(count)), { status: "unchanged", reasons: [] });
    const result = await live(test, pages(1));
    assert.equal(result.status, "inconclusive");
    assert.match(result.reasons[0]?.message ?? "", /it was sent only once\. Record the test again, with data as it is now\./);
  });

  it("another number of items, each with a request, is unchanged, and none is inconclusive", async () => {
    const items =
      (count: number): Responder =>
      ({ path }, response) =>
        json(response, /items\/\d/.test(path) ? ITEM : { items: Array.from({ length: count }, (_, index) => ({ ...ITEM, id: index })) });
    const test = await record("Details", items(3));
    for (const count of [1, 2, 4]) assert.deepEqual(await live(test, items(count)), { status: "unchanged", reasons: [] }, `${count}`);
    assert.equal((await live(test, items(0))).status, "inconclusive");
  });

  it("the first hundred of many differences are returned", async () => {
    const lost = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`f${"abcdefghij"[index % 10]}${index}`, index % 2 ? 1 : "x"]),
    );
    const result = await live(await record("Read", answer({ ...ITEM, ...lost })), answer(ITEM));
    assert.deepEqual([result.status, result.reasons.length], ["changed", 101]);
    assert.match(result.reasons.at(-1)?.message ?? "", /^200 more differences are left out\./);
  });

  it("a request that is not sent any more, although the answers are complete, is inconclusive", async () => {
    const result = await live(await record("Switch", answer({ ...ITEM, more: true })), answer({ ...ITEM, more: false }));
    assert.deepEqual([result.status, rules(result)], ["inconclusive", [undefined]]);
    assert.match(result.reasons[0]?.message ?? "", /^GET https:\/\/good\.com\/more: it was sent not at all\. Record the test again/);
  });

  it("a request without a counterpart is inconclusive, and shows no value of an answer", async () => {
    const result = await live(await record("Follow"), answer({ ...ITEM, link: "more", name: CANARY }));
    assert.equal(result.status, "inconclusive");
    assert.match(result.reasons.at(-1)?.message ?? "", /^GET https:\/\/good\.com\/\*\/\*: it was not recorded\. Record the test again\.$/);
  });

  const profile =
    (login: string, repositories: readonly string[], user: object = { bio: "x", age: 1 }): Responder =>
    ({ path }, response) => {
      if (path === "/me")
        json(response, { login, repositories: repositories.map((full_name) => ({ full_name })), url: `https://good.com/teams/${login}` });
      else if (path.startsWith("/repos/")) json(response, [{ title: "x", id: 1 }]);
      else json(response, path.startsWith("/users/") ? user : { team: "x" });
    };

  it("a path with the values that an earlier answer has at the same places is the same request", async () => {
    const test = await record("Profile", profile("ada", ["ada/engine", "ada/loom"]));
    for (const [login, repositories] of [
      ["bob", ["bob/lamp"]],
      ["Zoë & co", ["zoe/one", "zoe/two", "x/three"]],
    ] as const)
      assert.deepEqual(await live(test, profile(login, repositories)), { status: "unchanged", reasons: [] }, login);
    const result = await live(test, profile("bob", ["bob/lamp"], { age: 1 }));
    assert.deepEqual([result.status, rules(result)], ["changed", ["api-field-lost"]]);
    assert.match(result.reasons[0]?.message ?? "", /^GET https:\/\/good\.com\/users\/ada: bio \(string\) is gone\.$/);
  });

  it("a value at another place does not make it the same request", async () => {
    const result = await live(await record("Profile", profile("ada", ["ada/engine"])), ({ path }, response) =>
      path === "/me" ? json(response, { login: "", repositories: [{ full_name: "ada/engine" }], url: "" }) : json(response, []),
    );
    assert.equal(result.status, "inconclusive");
    assert.match(result.reasons[0]?.message ?? "", /users\/ada: it was sent not at all/);
  });

  it("another result after an error that the pack caught is no change", async () => {
    const result = await live(await record("Caught"), (_, response) => json(response, {}, 429));
    assert.deepEqual([result.status, rules(result)], ["inconclusive", [undefined]]);
  });

  it("a run that fails on answers of the recorded shape is inconclusive, and shows no value", async () => {
    const result = await live(await record("Picky"), answer({ ...ITEM, name: CANARY }));
    assert.equal(result.status, "inconclusive");
    assert.match(result.reasons[0]?.message ?? "", /^The answers have the recorded shape, but the run fails, or with another error\./);
  });

  it("a formula that the pack has no more, or that needs another parameter, is inconclusive, and nothing is sent", async () => {
    const test = await record("Read");
    const renamed = await live({ ...test, target: formula("Reading") }, answer(ITEM));
    assert.deepEqual([renamed.status, wire.requests.length], ["inconclusive", 0]);
    assert.match(renamed.reasons[0]?.message ?? "", /The pack has no formula Reading\. Record the test again if that is right\./);
    const more = await live({ ...test, parameters: ["x"] }, answer(ITEM));
    assert.deepEqual([more.status, wire.requests.length], ["inconclusive", 0]);
  });

  it("a host that leads into a private network is inconclusive", async () => {
    const result = await live(await record("Read"), answer(ITEM), { lookup: async () => ["10.0.0.1"] });
    assert.equal(result.status, "inconclusive");
    assert.match(result.reasons[0]?.message ?? "", /it was not sent, because its address is refused here\./);
  });

  it("a server that answers too slowly is inconclusive", async () => {
    const test = await record("Read");
    const drip: Responder = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    };
    for (const respond of [drip, () => {}]) {
      const result = await live(test, respond, { timeLimit: 1_500 });
      assert.equal(result.status, "inconclusive");
      assert.match(result.reasons[0]?.message ?? "", /no complete answer came\. It did not answer in time\. Try again later\./);
    }
  });

  it("a recorded failure that stays the same is unchanged, and its end is a change", async () => {
    const failing: Responder = (_, response) => json(response, { error: "no" }, 404);
    const test = await record("Read", failing);
    assert.equal(test.outcome.status, "failed");
    assert.equal((await live(test, failing)).status, "unchanged");
    assert.equal((await live(test, answer(ITEM))).status, "changed");
  });

  describe("sends GET and HEAD only:", () => {
    const methods = (): readonly string[] => wire.requests.map(({ method }) => method);

    it("another method is refused before it is sent, although the test has GET only", async () => {
      const test = await record("Write");
      const getOnly = { ...test, requests: test.requests.filter(({ method }) => method === "GET") };
      assert.equal(whyNotTried(suite.openedPack, getOnly, false), undefined);
      const result = await live(getOnly, answer(ITEM));
      assert.deepEqual([result.status, methods()], ["notTried", ["GET"]]);
      assert.match(result.reasons[0]?.message ?? "", /^The pack sends POST to good\.com, which may change data\./);
    });

    it("another method in a continuation of a table is refused, and the pages before it are sent", async () => {
      const rows =
        (method?: string): Responder =>
        ({ path }, response) =>
          json(response, { rows: [{ id: Number(/page=(\d)/.exec(path)?.[1]) }], more: path.endsWith("1"), ...(method && { method }) });
      const test = await record("Rows", rows(), { kind: "syncTable", name: "Rows" });
      assert.deepEqual(await live(test, rows()), { status: "unchanged", reasons: [] });
      const result = await live(test, rows("POST"));
      assert.deepEqual([result.status, methods()], ["notTried", ["GET"]]);
    });

    it("a redirect that asks for another method is refused before it is followed", async () => {
      const result = await live(await record("Read"), (_, response) => json(response, {}, 302, { location: "/items?_method=DELETE" }));
      assert.equal(methods().length, 1);
      assert.match(JSON.stringify(result.reasons), /The pack sends GET with another method in it to good\.com, which may change data/);
    });

    it("a POST that is redirected is sent only with actions", async () => {
      const redirecting: Responder = ({ method }, response) =>
        method === "POST" ? json(response, {}, 303, { location: "/items" }) : json(response, { items: [ITEM] });
      const test = await record("Write", redirecting);
      assert.equal((await live(test, redirecting)).status, "notTried");
      assert.deepEqual(methods(), ["GET"]);
      assert.equal((await live(test, redirecting, { actions: true })).status, "unchanged");
      assert.deepEqual(methods(), ["GET", "POST", "GET"]);
    });

    it("a token is renewed after 401 without actions, and the answer after it is compared", async () => {
      const test = await record("Read");
      let renewals = 0;
      const renewing: RunAccount = {
        ...account,
        refresh: async () => {
          renewals++;
          return { credential: { kind: "token", token: "canary-of-the-renewed" }, isNew: true };
        },
      };
      const result = await live(
        test,
        ({ headers }, response) =>
          headers.authorization === "Bearer canary-of-the-renewed"
            ? json(response, { items: [{ id: 1, name: "a" }] })
            : json(response, {}, 401, { "www-authenticate": 'Bearer error="invalid_token"' }),
        { account: renewing },
      );
      assert.deepEqual([result.status, rules(result), renewals, methods()], ["changed", ["api-field-lost"], 1, ["GET", "GET"]]);
    });

    it("a GET that asks for another method is refused", async () => {
      const test = await record("Override");
      assert.match(whyNotTried(suite.openedPack, test, false)?.message ?? "", /which may change data/);
      const result = await live(test, answer(ITEM));
      assert.deepEqual([result.status, wire.requests.length], ["notTried", 1]);
    });

    it("HEAD is sent, and its status is compared", async () => {
      const test = await record("Head");
      assert.deepEqual(await live(test, answer(ITEM)), { status: "unchanged", reasons: [] });
      assert.deepEqual(methods(), ["GET", "HEAD"]);
      const result = await live(test, ({ method }, response) => json(response, { items: [ITEM] }, method === "HEAD" ? 405 : 200));
      assert.deepEqual([result.status, rules(result)], ["changed", ["api-status-changed"]]);
    });

    it("another method is sent and compared with actions", async () => {
      const test = await record("Write");
      const why = { message: "It sends POST, which may change data.", nextStep: { do: "allowActions" } };
      assert.deepEqual(whyNotTried(suite.openedPack, test, false), why);
      assert.equal(whyNotTried(suite.openedPack, test, true), undefined);
      const result = await live(test, answer(ITEM), { actions: true });
      assert.deepEqual([result.status, methods()], ["unchanged", ["GET", "POST"]]);
    });
  });

  it("a test of the sandbox and one without requests are not tried", async () => {
    const test = await record("Read");
    assert.match(whyNotTried(suite.openedPack, { ...test, sandbox: true }, true)?.message ?? "", /recorded in the sandbox/);
    assert.match(whyNotTried(suite.openedPack, { ...test, requests: [] }, true)?.message ?? "", /has no requests/);
  });
});
