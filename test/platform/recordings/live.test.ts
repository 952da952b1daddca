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
method("Override", () => ({ method: "GET", headers: { "X-HTTP-Method-Override": "DELETE" } }));
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
  const record = async (name: string, respond: Responder = answer(ITEM)): Promise<SavedTest> => {
    wire.respond = respond;
    const target: RunTarget = formula(name);
    const parameters: readonly ParameterValue[] = [];
    const recorded = await recordRun(suite.openedPack, target, parameters, { fetch: wire.fetch, lookup: wire.lookup, account });
    return testOf(recorded, "pack.ts");
  };
  const live = (test: SavedTest, respond: Responder, more: Partial<LiveOptions> = {}): Promise<LiveResult> => {
    wire.requests.length = 0;
    wire.respond = respond;
    return runLive(suite.openedPack, test, wire.fetch, { lookup: wire.lookup, account, actions: false, ...more });
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
    ["no answer", (_, response) => void response.destroy(), /no answer came \(connection-closed\)/],
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
    assert.match(result.reasons[0]?.message ?? "", /it was sent only once, and a recorded field has no counterpart/);
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

  it("a request that the pack does not send any more is a change, if the answers are complete", async () => {
    const result = await live(await record("Switch", answer({ ...ITEM, more: true })), answer({ ...ITEM, more: false }));
    assert.deepEqual([result.status, rules(result)], ["changed", ["pack-request-changed"]]);
  });

  it("a request without a counterpart is a change of the pack, and shows no value of an answer", async () => {
    const result = await live(await record("Follow"), answer({ ...ITEM, link: "more", name: CANARY }));
    assert.deepEqual([result.status, new Set(rules(result))], ["changed", new Set(["pack-request-changed"])]);
    assert.match(result.reasons.at(-1)?.message ?? "", /^GET https:\/\/good\.com\/\*\/\*: it was not recorded\. The pack changed\.$/);
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

    it("a GET that asks for another method is refused", async () => {
      const test = await record("Override");
      assert.match(whyNotTried(suite.openedPack, test, false) ?? "", /which may change data/);
      const result = await live(test, answer(ITEM));
      assert.deepEqual([result.status, wire.requests.length], ["notTried", 1]);
    });

    it("another method is sent and compared with actions", async () => {
      const test = await record("Write");
      assert.match(whyNotTried(suite.openedPack, test, false) ?? "", /^It sends POST, which may change data\. Add --actions/);
      assert.equal(whyNotTried(suite.openedPack, test, true), undefined);
      const result = await live(test, answer(ITEM), { actions: true });
      assert.deepEqual([result.status, methods()], ["unchanged", ["GET", "POST"]]);
    });
  });

  it("a test of the sandbox and one without requests are not tried", async () => {
    const test = await record("Read");
    assert.match(whyNotTried(suite.openedPack, { ...test, sandbox: true }, true) ?? "", /recorded in the sandbox/);
    assert.match(whyNotTried(suite.openedPack, { ...test, requests: [] }, true) ?? "", /has no requests/);
  });
});
