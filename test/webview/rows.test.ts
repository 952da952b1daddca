// The order of a result's rows.
import assert from "node:assert/strict";
import { arrange, tableOf } from "../../client/webview/result/rows.ts";

describe("The order of rows", () => {
  it("blank values are last in both directions, in their original order", () => {
    const table = tableOf([
      { a: null, id: 1 },
      { a: 2 },
      { a: "", id: 2 },
      { a: 10 },
      { a: " \t", id: 3 },
      { a: 0 },
      { id: 4 },
      { a: false },
    ]);
    const ordered = (descending: boolean): readonly unknown[] =>
      arrange(table, "", { column: "a", descending }).map(({ a, id }) => id ?? `a: ${a}`);
    const blanks = [1, 2, 3, 4];
    assert.deepEqual(ordered(false), ["a: 0", "a: 2", "a: 10", "a: false", ...blanks]);
    assert.deepEqual(ordered(true), ["a: false", "a: 10", "a: 2", "a: 0", ...blanks]);
  });
});
