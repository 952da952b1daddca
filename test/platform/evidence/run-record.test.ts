// The record of runs and drills: what a person learns of it, and what no file contains.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordDrillOf, recordRunOf, runRecordsOf } from "../../../platform/evidence/run-record.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { makeHost } from "../../support/platform-host.ts";

const ENTRY = "/packs/pack.ts";
const request = (sandbox?: true) =>
  ({
    id: 1,
    method: "GET",
    url: "https://good.com/x",
    startedAt: 1,
    requestHeaders: {},
    credentials: [],
    warnings: [],
    ...(sandbox && { sandbox }),
  }) as const;
const report = (more: Partial<RunReport> = {}): RunReport => ({
  target: { kind: "formula", name: "Read" },
  startedAt: 7,
  duration: 1,
  outcome: { status: "succeeded", value: "value-of-a-result" },
  requests: [request()],
  console: [],
  platformDifferences: [],
  ...more,
});
const read = { kind: "formula", name: "Read" } as const;

describe("The record of runs", () => {
  it("a run of a formula is recorded, a table of the same name is another runnable", async () => {
    const host = makeHost();
    assert.equal(runRecordsOf(host, ENTRY)(read), undefined);
    await recordRunOf(host, ENTRY, report());
    const records = runRecordsOf(host, ENTRY);
    assert.deepEqual(records(read), { run: { at: 7, status: "succeeded", isSandbox: false, platformDifferences: [] } });
    assert.equal(records({ kind: "syncTable", name: "Read" }), undefined);
    assert.equal(runRecordsOf(host, "/packs/other.ts")(read), undefined);
  });

  it("a run in the sandbox replaces no real run, and a real run replaces one in the sandbox", async () => {
    const host = makeHost();
    await recordRunOf(host, ENTRY, report({ requests: [request(true)] }));
    assert.equal(runRecordsOf(host, ENTRY)(read)?.run?.isSandbox, true);
    await recordRunOf(host, ENTRY, report());
    await recordRunOf(host, ENTRY, report({ startedAt: 9, requests: [request(true)] }));
    assert.deepEqual([runRecordsOf(host, ENTRY)(read)?.run?.isSandbox, runRecordsOf(host, ENTRY)(read)?.run?.at], [false, 7]);
  });

  it("a run that was stopped, and a run of an MCP server, leave the record unchanged", async () => {
    const host = makeHost();
    await recordRunOf(host, ENTRY, report({ outcome: { status: "cancelled" } }));
    await recordRunOf(host, ENTRY, report({ target: { kind: "mcpServer", name: "Server" } }));
    assert.equal(runRecordsOf(host, ENTRY)(read), undefined);
  });

  it("a drill records the days that end badly, beside the run", async () => {
    const host = makeHost();
    await recordRunOf(host, ENTRY, report());
    await recordDrillOf(host, ENTRY, read, {
      target: "Read",
      scenarios: [
        { day: "server-error", title: "500, with an HTML page", verdict: "wrong data in silence", sees: "value-of-a-day" },
        { day: "slow-answer", title: "A slow answer", verdict: "recovers", sees: "The same." },
        { day: "missing-scope", title: "403, a scope is missing", sees: "The account has no scopes." },
      ],
    });
    const { run, drill } = runRecordsOf(host, ENTRY)(read) ?? {};
    assert.equal(run?.at, 7);
    assert.deepEqual(drill?.badDays, [{ title: "500, with an HTML page", verdict: "wrong data in silence" }]);
  });

  it("the file contains no value, and no path of a URL", async () => {
    const host = makeHost();
    const message = "GET https://user@good.com/items/value-of-a-path?q=value was answered with 401, and the formula continued.";
    await recordRunOf(host, ENTRY, report({ platformDifferences: [{ message }] }));
    const [file = ""] = readdirSync(join(host.storageFolder, "runs")).filter((name) => name.endsWith(".json"));
    const text = readFileSync(join(host.storageFolder, "runs", file), "utf8");
    assert.doesNotMatch(text, /value/);
    assert.deepEqual(runRecordsOf(host, ENTRY)(read)?.run?.platformDifferences, [
      "GET good.com was answered with 401, and the formula continued.",
    ]);
  });

  it("a file that is damaged or of another version is empty, and the next run replaces it", async () => {
    const host = makeHost();
    await recordRunOf(host, ENTRY, report());
    const [file = ""] = readdirSync(join(host.storageFolder, "runs")).filter((name) => name.endsWith(".json"));
    for (const text of ["", "[", "[]", '{"formula:Read":{"run":{"at":"now"}}}', '{"__proto__":{"run":1}}']) {
      writeFileSync(join(host.storageFolder, "runs", file), text);
      assert.equal(runRecordsOf(host, ENTRY)(read), undefined, text);
      await recordRunOf(host, ENTRY, report());
      assert.equal(runRecordsOf(host, ENTRY)(read)?.run?.at, 7);
    }
  });

  it("a pack with more formulas than the platform allows keeps the ones that ran last", async () => {
    const host = makeHost();
    await recordRunOf(host, ENTRY, report());
    const [file = ""] = readdirSync(join(host.storageFolder, "runs")).filter((name) => name.endsWith(".json"));
    const run = { at: 1, status: "succeeded", isSandbox: false, platformDifferences: [] };
    const full = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`formula:F${n}`, { run }]));
    writeFileSync(join(host.storageFolder, "runs", file), JSON.stringify(full));
    await recordRunOf(host, ENTRY, report());
    const records = runRecordsOf(host, ENTRY);
    assert.equal(records({ kind: "formula", name: "F0" }), undefined);
    assert.ok(records({ kind: "formula", name: "F1" }));
    assert.equal(records(read)?.run?.at, 7);
  });
});
