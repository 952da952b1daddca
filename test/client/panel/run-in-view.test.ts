// The run in view is saved only if the form still names its account: a recording of a real account is read before it is saved.
import assert from "node:assert/strict";
import { runInView } from "../../../client/panel/run-in-view.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import type { RunRecord } from "../../../platform/recordings/record-run.ts";
import { inputOf } from "../../../platform/runs/run-input.ts";
import type { RunTarget } from "../../../protocol/run.ts";

const PACK = { entry: "/pack.ts" } as Pack;
const TARGET: RunTarget = { kind: "formula", name: "Get" };
const INPUT = inputOf(TARGET, [], { timezone: "UTC" });

/** An account of an account file is not stored, so the account of the run itself has no ID. */
const record = {
  input: INPUT,
  world: { pack: PACK, account: { scope: "user", credential: { kind: "token", token: "t" } } },
  recorder: { isComplete: true },
  report: { outcome: { status: "succeeded" } },
} as unknown as RunRecord;

describe("the run in view", () => {
  it("a run with an account of an account file is saved as it is while the form names that account", () => {
    assert.equal(runInView({ record, recordedWith: "team-1" }, PACK, INPUT, "team-1"), record);
  });

  it("a run with an account is not saved for another account, or for none", () => {
    for (const account of ["team-2", "stored", undefined])
      assert.equal(runInView({ record, recordedWith: "team-1" }, PACK, INPUT, account), undefined, account);
  });

  it("a run without an account is not saved for one", () => {
    assert.equal(runInView({ record, recordedWith: undefined }, PACK, INPUT, "team-1"), undefined);
    assert.equal(runInView({ record, recordedWith: undefined }, PACK, INPUT, undefined), record);
  });
});
