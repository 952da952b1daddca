// The parts of a filter that a person types.
import assert from "node:assert/strict";
import { filterParts, readSince, showsAllSignIns } from "../../../platform/production/log-filter.ts";

const now = Date.UTC(2026, 10, 28, 8);

describe("the filter of logs", () => {
  it("a time is a date, or a length of time before now", () => {
    assert.deepEqual(
      ["2026-11-28", "2026-11-28T08:00Z", "30m", " 2h ", "7d"].map((text) => readSince(text, now)),
      [Date.UTC(2026, 10, 28), now, now - 1_800_000, now - 7_200_000, now - 7 * 86_400_000],
    );
  });

  it("any other text is no time", () => {
    for (const text of ["", "yesterday", "7", "2y", "-1d", "2026-13-45", "999999d"]) assert.equal(readSince(text, now), undefined, text);
  });

  it("sign-ins are complete only in a doc, without a filter that hides some", () => {
    const doc = { kind: "doc", packId: 1, docId: "AbC" } as const;
    for (const filter of [{}, { type: "auth" as const }, { since: now }]) assert.equal(showsAllSignIns(doc, filter), true);
    for (const filter of [{ failuresOnly: true }, { type: "mcp" as const }, { formula: "A" }, { connection: "a" }, { text: "a" }])
      assert.equal(showsAllSignIns(doc, filter), false, JSON.stringify(filter));
    assert.equal(showsAllSignIns({ kind: "agent", tenantId: "acme", agentInstanceId: "a1" }, {}), false);
  });

  it("each condition is named, and a filter without conditions is empty", () => {
    assert.deepEqual(filterParts({}), []);
    assert.deepEqual(filterParts({ failuresOnly: true, type: "fetcher", formula: "GetTask", connection: "alice", text: "x", since: now }), [
      "failures only",
      "type request",
      "formula GetTask",
      "connection alice",
      "text “x”",
      "since 2026-11-28T08:00:00.000Z",
    ]);
  });
});
