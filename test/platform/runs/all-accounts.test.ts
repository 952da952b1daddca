// One formula with every account: what came of each, and in what it differs from the first.
import assert from "node:assert/strict";
import { PackAuthError } from "../../../platform/errors.ts";
import { differencesOf, type NamedAccount, runWithAll } from "../../../platform/runs/all-accounts.ts";
import type { RunOutcome, RunReport } from "../../../protocol/run.ts";

const report = (outcome: RunOutcome): RunReport => ({
  target: { kind: "formula", name: "Me" },
  startedAt: 0,
  duration: 5,
  outcome,
  requests: [],
  console: [],
  platformDifferences: [],
});
const account = (label: string, run: NamedAccount["run"]): NamedAccount => ({ label, run });
const gives = (label: string, value: unknown): NamedAccount => account(label, async () => report({ status: "succeeded", value }));
const signal = new AbortController().signal;

describe("A run with all accounts", () => {
  it("results are compared with the first one that succeeded", async () => {
    const labels: string[] = [];
    const runs = await runWithAll(
      [
        account("zoe", async () => report({ status: "failed", error: { code: "StatusCodeError", message: "403", hint: "Ask." } })),
        gives("alice", { name: "a", items: [1, 2] }),
        account("gone", async () => {
          throw new PackAuthError("sign-in-again", "Sign in again.", {});
        }),
        account("passed over", async () => undefined),
        gives("bob", { name: "b", items: [1, 2, 3] }),
        gives("carol", { name: "a", items: [1, 2] }),
      ],
      { signal, onRun: ({ account: label }) => labels.push(label) },
    );
    assert.deepEqual(runs, [
      { account: "zoe", status: "failed", duration: 5, error: { code: "StatusCodeError", message: "403", hint: "Ask." } },
      { account: "alice", status: "succeeded", duration: 5, value: { name: "a", items: [1, 2] } },
      { account: "gone", status: "failed", error: { code: "sign-in-again", message: "Sign in again." } },
      { account: "passed over", status: "not run" },
      { account: "bob", status: "succeeded", duration: 5, value: { name: "b", items: [1, 2, 3] }, differences: ["name", "items[2]"] },
      { account: "carol", status: "succeeded", duration: 5, value: { name: "a", items: [1, 2] }, differences: [] },
    ]);
    assert.deepEqual(labels, ["zoe", "alice", "gone", "passed over", "bob", "carol"]);
  });

  it("a cancel ends the series of runs", async () => {
    const abort = new AbortController();
    const runs = await runWithAll([gives("a", 1), gives("b", 1)], { signal: abort.signal, onRun: () => abort.abort() });
    assert.deepEqual(
      runs.map(({ account: label }) => label),
      ["a"],
    );
  });

  it("a long list of differences is cut", async () => {
    const many = (by: number) => Array.from({ length: 10_000 }, (_, index) => index * by);
    const [, other] = await runWithAll([gives("a", many(1)), gives("b", many(2))], { signal });
    assert.deepEqual([other?.differences?.length, other?.differences?.[0], other?.more], [20, "[1]", true]);
  });

  it("differences are found at any depth and of any kind", () => {
    const cases: readonly (readonly [unknown, unknown, readonly string[]])[] = [
      [1, 1, []],
      [Number.NaN, Number.NaN, []],
      ["a", "b", [""]],
      [null, undefined, [""]],
      [[], {}, [""]],
      [{ a: 1 }, { b: 1 }, ["a", "b"]],
      [{ a: [{ b: null }] }, { a: [{ b: 0 }] }, ["a[0].b"]],
      [[1, 2], [1], ["[1]"]],
    ];
    for (const [one, other, expected] of cases) assert.deepEqual(differencesOf(one, other), expected, JSON.stringify([one, other]));
  });
});
