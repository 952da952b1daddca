// A time limit that is suspended while a person decides.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { TimeLimit } from "../../../platform/network/time-limit.ts";

describe("A time limit", () => {
  it("a limit ends after its time", async () => {
    let ended = false;
    new TimeLimit(20, () => {
      ended = true;
    });
    await delay(60);
    assert.ok(ended);
  });

  it("a limit does not run while work suspends it, and continues with the rest of its time", async () => {
    let ended = false;
    const limit = new TimeLimit(60, () => {
      ended = true;
    });
    await limit.suspendedFor(Promise.all([limit.suspendedFor(delay(150)), delay(200)]));
    assert.equal(ended, false);
    await delay(150);
    assert.ok(ended);
  });

  it("a limit does not end after it was cleared, even during a suspension", async () => {
    let ended = false;
    const limit = new TimeLimit(20, () => {
      ended = true;
    });
    const suspended = limit.suspendedFor(delay(50));
    limit.clear();
    await suspended;
    await delay(60);
    assert.equal(ended, false);
  });

  it("a limit that was cleared does not end after a restart", async () => {
    let ended = false;
    const limit = new TimeLimit(20, () => {
      ended = true;
    });
    limit.clear();
    limit.restart();
    await delay(60);
    assert.equal(ended, false);
  });

  it("a limit that is restarted has its whole time again", async () => {
    let ended = false;
    const limit = new TimeLimit(100, () => {
      ended = true;
    });
    await delay(60);
    limit.restart();
    await delay(60);
    assert.equal(ended, false);
    await delay(90);
    assert.ok(ended);
  });
});
