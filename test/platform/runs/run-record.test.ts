// The record of a run: whole where a report shows the beginning, bounded, masked, and what a test is made of without a second run.
import assert from "node:assert/strict";
import type { RunAccount } from "../../../platform/accounts/run-account.ts";
import { type RunRecord, readSimilarResponses, readWholeResponse } from "../../../platform/recordings/record-run.ts";
import { testOf } from "../../../platform/recordings/record-test.ts";
import { createRecorder } from "../../../platform/recordings/recorder.ts";
import { createFetchCache } from "../../../platform/requests/fetch-cache.ts";
import { rowsOf } from "../../../platform/runs/make-schema.ts";
import { stubFromResponse } from "../../../platform/sandbox/stub-from-response.ts";
import { createRedactor } from "../../../platform/secrets/redact.ts";
import type { RunOptions } from "../../support/run.ts";
import { recordRun } from "../../support/run.ts";
import { formula, RUN_PACK, runsOfSuite } from "../../support/run-pack.ts";

const SECRET = "a-secret-of-the-account-7f3a";
const account: RunAccount = { scope: "user", credential: { kind: "token", token: SECRET } };

const SOURCE = `${RUN_PACK}
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
const Optional = { connectionRequirement: coda.ConnectionRequirement.Optional };
formula("Pages", async (args: any, context: any) => {
  for (const page of [1, 2, 3]) await get(context, "https://good.com/items?page=" + page);
  for (const id of [7, 8]) await get(context, "https://good.com/items/" + id);
  return "done";
}, Optional);
formula("Queries", async (args: any, context: any) => {
  for (const [query, after] of [["{ items }", 1], ["{ items }", 2], ["{ owners }", 1]])
    await context.fetcher.fetch({ method: "POST", url: "https://good.com/graphql", body: JSON.stringify({ query, variables: { after } }) });
  return "done";
}, Optional);
formula("Large", async (args: any, context: any) => String((await get(context, "https://good.com/large")).rows.length), Optional);
formula("Kept", async (args: any, context: any) => String((await get(context, "https://good.com/items?page=1", { cacheTtlSecs: 60 })).items.length), Optional);
formula("Twice", async (args: any, context: any) => {
  await get(context, "https://good.com/items?page=1");
  return String((await get(context, "https://good.com/items?page=1")).items.length);
}, Optional);
formula("Add", async (args: any, context: any) => {
  await context.fetcher.fetch({ method: "POST", url: "https://good.com/items", body: "{}" });
  return "added";
}, { ...Optional, isAction: true });
formula("Leaves", async (args: any, context: any) => {
  void get(context, "https://good.com/never").catch(() => {});
  return "left";
}, Optional);
formula("Invalid", async (args: any, context: any) => get(context, "https://bad.com/").catch(() => "refused"), Optional);
`;

describe("The record of a run", function () {
  this.timeout(60_000);
  const suite = runsOfSuite(SOURCE);
  const { wire } = suite;
  beforeEach(() => {
    wire.respond = ({ path, body, headers }, response) => {
      if (path === "/never") return;
      response.setHeader("content-type", "application/json");
      const page = Number(/page=(\d)/.exec(path)?.[1]);
      if (page > 0) response.end(JSON.stringify({ items: page === 3 ? [] : [{ page, sent: headers.authorization }] }));
      else if (path === "/large")
        response.end(JSON.stringify({ rows: Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row number ${id}`, key: SECRET })) }));
      else response.end(JSON.stringify({ path, asked: body }));
    };
  });
  const record = async (name: string, more: Partial<RunOptions> = {}): Promise<RunRecord> =>
    recordRun(suite.openedPack, formula(name), [], { fetch: wire.fetch, lookup: wire.lookup, account, ...more });
  const requestOf = ({ report }: RunRecord, index = 0): RunRecord["report"]["requests"][number] => {
    const request = report.requests[index];
    assert.ok(request);
    return request;
  };

  it("responses of similar requests are found: all pages and all items", async () => {
    const pages = await record("Pages");
    assert.deepEqual(rowsOf(await readSimilarResponses(requestOf(pages, 1), pages)), [
      { page: 1, sent: "Bearer ••••" },
      { page: 2, sent: "Bearer ••••" },
    ]);
    assert.deepEqual(
      (await readSimilarResponses(requestOf(pages, 4), pages)).map((response) => (response as { path: string }).path),
      ["/items/7", "/items/8"],
    );
    const queries = await record("Queries");
    assert.deepEqual(
      [0, 2].map((index) => requestOf(queries, index).url),
      ["https://good.com/graphql", "https://good.com/graphql"],
    );
    assert.equal((await readSimilarResponses(requestOf(queries), queries)).length, 2);
    assert.equal((await readSimilarResponses(requestOf(queries, 2), queries)).length, 1);
  });

  it("a response is whole although the report is cut, without the account's secrets", async () => {
    const large = await record("Large");
    const request = requestOf(large);
    // Masks are shorter than what they stand for.
    assert.ok((request.responseBody ?? "").length < 64 * 1024);
    assert.throws(() => stubFromResponse(request), { code: "sandbox-failed" });
    const { body } = stubFromResponse(request, await readWholeResponse(request, large)) as { body: { rows: readonly { key: string }[] } };
    assert.equal(body.rows.length, 5_000);
    assert.doesNotMatch(JSON.stringify(body), new RegExp(SECRET));
    assert.equal(rowsOf(await readSimilarResponses(request, large))?.length, 5_000);
    // A run that was called back has its report alone.
    const [beginning] = await readSimilarResponses(request, undefined);
    assert.ok((rowsOf([beginning])?.length ?? 0) > 500);
  });

  it("a record becomes a test without another run, also for an action", async () => {
    for (const name of ["Pages", "Add"]) {
      const recorded = await record(name);
      const before = wire.requests.length;
      const test = await testOf(recorded, "pack.ts");
      assert.equal(test.requests.length, recorded.report.requests.length);
      assert.equal(wire.requests.length, before);
    }
  });

  it("a record is incomplete only if a response of an earlier run is missing", async () => {
    const fetchCache = createFetchCache();
    assert.equal((await record("Kept", { fetchCache })).recorder.isComplete, true);
    const second = await record("Kept", { fetchCache });
    assert.equal(requestOf(second).cached, true);
    assert.equal(second.recorder.isComplete, false);
    // What the report shows is what is left.
    assert.deepEqual(rowsOf(await readSimilarResponses(requestOf(second), second)), [{ page: 1, sent: "Bearer ••••" }]);
    const twice = await record("Twice");
    assert.equal(requestOf(twice, 1).cached, true);
    assert.deepEqual([twice.recorder.isComplete, (await testOf(twice, "pack.ts")).requests.length], [true, 1]);
    assert.deepEqual(await readWholeResponse(requestOf(twice, 1), twice), await readWholeResponse(requestOf(twice, 0), twice));
  });

  it("a request without an answer refuses the test, a refused request is left out", async () => {
    await assert.rejects(testOf(await record("Leaves"), "pack.ts"), { message: /GET https:\/\/good\.com\/never got no answer/ });
    const { requests, outcome } = await testOf(await record("Invalid"), "pack.ts");
    assert.deepEqual([requests, outcome.status === "succeeded" && outcome.value], [[], "refused"]);
  });

  it("a record of more than 50 MB refuses the test", () => {
    const recorder = createRecorder();
    const body = new Uint8Array(5 * 1024 * 1024).fill(120);
    const request = { method: "GET", url: "https://good.com/", headers: {} } as const;
    const completedHop = { request, startedAt: 0, response: { status: 200, headers: {}, binary: true, body } };
    for (const id of Array.from({ length: 11 }, (_, index) => index)) {
      if (id === 10) assert.equal(recorder.requests(undefined, createRedactor()).length, 10);
      const recordedRequest = recorder.begin(request);
      recordedRequest.hop(id, completedHop);
      recordedRequest.end();
    }
    assert.ok(recorder.completedHop(9));
    assert.equal(recorder.completedHop(10), undefined);
    assert.throws(() => recorder.requests(undefined, createRedactor()), { message: /all bodies together are larger than 50 MB/ });
  });
});
