// The panel's history: the last fifty runs, what is pinned stays, and a broken store costs nothing but itself.
import assert from "node:assert/strict";
import { openRunHistory } from "../../../client/panel/run-history.ts";
import type { RunReport } from "../../../protocol/run.ts";

const report = (startedAt: number, value: unknown = startedAt): RunReport => ({
  target: { kind: "formula", name: "F" },
  startedAt,
  duration: 1,
  outcome: { status: "succeeded", value },
  requests: [],
  console: [],
  platformDifferences: [],
});

function memory(stored?: unknown) {
  const state = { stored };
  return {
    state,
    store: {
      get: () => state.stored,
      set: async (_key: string, value: unknown) => {
        state.stored = structuredClone(value);
      },
    },
  };
}

describe("the history of runs", () => {
  it("the last fifty runs are kept, newest first, and pinned ones always", async () => {
    const { store } = memory();
    const history = openRunHistory("pack", store);
    await history.add("formula:F", { values: {} }, report(0));
    await history.change(history.list("formula:F")[0]?.id ?? "", { pinned: true, name: "first" });
    for (let time = 1; time <= 60; time++) await history.add("formula:F", { values: { time: String(time) } }, report(time));
    const list = history.list("formula:F");
    assert.equal(list.length, 50);
    assert.deepEqual([list[0]?.name, list[0]?.pinned, list[1]?.startedAt, list.at(-1)?.startedAt], ["first", true, 60, 12]);
    assert.deepEqual(history.list("formula:G"), []);
  });

  it("fifty pinned runs and the newest other are kept when two more come", async () => {
    const { store } = memory();
    const history = openRunHistory("pack", store);
    for (let time = 1; time <= 50; time++) {
      await history.add("formula:F", { values: {} }, report(time), undefined, String(time));
      await history.change(String(time), { pinned: true });
    }
    for (const time of [51, 52]) {
      await history.add("formula:F", { values: {} }, report(time), undefined, String(time));
      const list = history.list("formula:F");
      assert.equal(list.filter(({ pinned }) => pinned).length, 50);
      assert.deepEqual(
        list.filter(({ pinned }) => !pinned).map(({ id }) => id),
        [String(time)],
      );
    }
    assert.equal(history.report("1")?.startedAt, 1);
  });

  it("a reload keeps every input, and drops large results", async () => {
    const { store } = memory();
    const history = openRunHistory("pack", store);
    await history.add("formula:F", { values: { a: "1" }, account: "x" }, report(1), "alice");
    await history.add("formula:F", { values: { a: "2" } }, report(2, "x".repeat(100_000)));
    assert.deepEqual(
      history.list("formula:F").map(({ hasReport }) => hasReport),
      [true, true],
    );
    const again = openRunHistory("pack", store).list("formula:F");
    assert.deepEqual(
      again.map(({ hasReport, input, account }) => [hasReport, input.values.a, account]),
      [
        [false, "2", undefined],
        [true, "1", "alice"],
      ],
    );
  });

  it("the report of another version is left out, and the input of its run stays", async () => {
    const { state, store } = memory();
    await openRunHistory("pack", store).add("formula:F", { values: { a: "1" } }, report(1));
    const [run] = state.stored as { report: Record<string, unknown> }[];
    const { platformDifferences, ...otherMembers } = run?.report ?? {};
    state.stored = [{ ...run, report: { ...otherMembers, parity: platformDifferences } }];
    const history = openRunHistory("pack", store);
    const [entry] = history.list("formula:F");
    assert.deepEqual([entry?.input.values, entry?.hasReport], [{ a: "1" }, false]);
    assert.equal(history.report(entry?.id ?? ""), undefined);
  });

  it("a removed run is gone, and listeners are notified", async () => {
    const { store, state } = memory();
    const history = openRunHistory("pack", store);
    let changeCount = 0;
    const stop = history.onDidChange(() => changeCount++);
    await history.add("formula:F", { values: {} }, report(1));
    const [{ id } = { id: "" }] = history.list("formula:F");
    await history.remove(id);
    stop();
    assert.equal(changeCount, 2);
    assert.equal(history.report(id), undefined);
    assert.deepEqual(state.stored, []);
  });

  for (const stored of [null, "text", {}, [null], [1], [{ runnable: "formula:F" }], [{ runnable: 1, entry: {} }]]) {
    it(`a broken store (${JSON.stringify(stored)}) counts as empty`, () => {
      assert.deepEqual(openRunHistory("pack", memory(stored).store).list("formula:F"), []);
    });
  }
});
