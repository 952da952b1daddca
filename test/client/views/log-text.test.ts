// The rows of the view of production logs.
import assert from "node:assert/strict";
import { asLine } from "../../../client/shown/foreign-text.ts";
import { connectionRow, entryRow, packDescription } from "../../../client/views/log-text.ts";
import { groupByConnection } from "../../../platform/production/logs.ts";
import { logEntry } from "../../support/log-entries.ts";

const inTime = (at: string): string => at.slice(11, 16);

describe("the rows of production logs", () => {
  it("a failing request has its icon, time, formula, and a text for screen readers", () => {
    const entry = logEntry({ type: "fetcher", method: "GET", baseUrl: "https://api.acme.example/tasks", responseCode: 429, duration: 61 });
    assert.deepEqual(entryRow(entry, inTime), {
      label: "429 · GET https://api.acme.example/tasks · 61 ms",
      description: "08:00 · GetTask",
      tooltip: ["429 · GET https://api.acme.example/tasks · 61 ms", "Failed: request, 08:00", "Formula: GetTask", "Version: 3"],
      spoken: "Failed, request, 429 · GET https://api.acme.example/tasks · 61 ms, 08:00, GetTask",
      icon: "error",
      context: "log.failure.formula.switch",
    });
  });

  it("an entry offers only what it has data for", () => {
    const nameless = { formulaName: "" };
    assert.deepEqual(
      [
        logEntry({ type: "custom", level: "info", message: "x" }, nameless),
        logEntry({ type: "fetcher", responseCode: 404 }),
        logEntry({ type: "auth", path: "/token", errorMessage: "access_denied" }, nameless),
      ].map((entry) => entryRow(entry, inTime).context),
      ["log", "log.failure.formula", "log.failure.switch"],
    );
  });

  it("an unknown type is shown raw, and says so", () => {
    const row = entryRow(logEntry({ type: "unknown", typeName: "quantumLog", raw: '{"spin":"up"}' }), inTime);
    assert.equal(row.label, 'quantumLog · {"spin":"up"}');
    assert.match(row.tooltip[1] ?? "", /does not know this type/);
  });

  it("a long message and its stack are bounded", () => {
    const stack = Array.from({ length: 50 }, (_, index) => `at line ${index}`).join("\n");
    const row = entryRow(logEntry({ type: "invocation", error: { message: "x".repeat(2_000), stack } }), inTime);
    assert.equal(row.label.length, 201);
    assert.equal(row.tooltip.filter((line) => line.startsWith("at line")).length, 8);
  });

  it("links, icons and control characters of a message stay text", () => {
    const message = "[x](command:evil) $(bug)\u001b[31m\u202e";
    const { label } = entryRow(logEntry({ type: "custom", level: "info", message }), inTime);
    assert.equal(asLine(label), "info · [x] (command:evil) $ (bug)\\u001b[31m\\u202e");
  });

  it("a connection says how many of its entries failed", () => {
    const [group] = groupByConnection([
      logEntry({ type: "fetcher", responseCode: 500 }, { logId: "1" }),
      logEntry({ type: "fetcher", responseCode: 200 }, { logId: "2" }),
    ]);
    assert.ok(group !== undefined);
    assert.deepEqual(connectionRow(group), {
      label: "alice",
      description: "2 entries · 1 failure",
      spoken: "alice, 2 entries · 1 failure",
      icon: "warning",
    });
  });

  it("a pack says which doc or agent, and which filter", () => {
    assert.equal(packDescription({ kind: "doc", packId: 1, docId: "AbC" }, { failuresOnly: true }), "doc AbC · failures only");
    assert.equal(packDescription({ kind: "agent", tenantId: "acme", agentInstanceId: "a1" }, {}), "agent acme/a1");
  });
});
