import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { IdleLimit } from "../../../platform/agents/idle-limit.ts";

describe("The limit of a run without requests", () => {
  it("a run that sends nothing ends", async () => {
    const limit = new IdleLimit(20);
    await wait(60);
    assert.equal(limit.signal.aborted, true);
  });

  it("the time of the person does not count, also if another request restarts the limit", async () => {
    const limit = new IdleLimit(20);
    const asked = limit.suspendedFor(wait(80));
    limit.restart();
    await asked;
    assert.equal(limit.signal.aborted, false);
    await wait(60);
    assert.equal(limit.signal.aborted, true);
  });

  it("a run that has ended is not stopped", async () => {
    const limit = new IdleLimit(20);
    limit.clear();
    await wait(60);
    assert.equal(limit.signal.aborted, false);
  });
});
