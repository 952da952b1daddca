import assert from "node:assert/strict";
import { createPauses } from "../../../client/debugging/debug-pauses.ts";

describe("pauses of a debugged run", () => {
  it("pause time counts the debugger's attachment, breakpoints and steps, also an unfinished pause", () => {
    let now = 3;
    const pauseChanges: boolean[] = [];
    const pauses = createPauses(
      (isPaused) => pauseChanges.push(isPaused),
      () => now,
    );
    pauses.wait();
    for (const [at, message] of [
      [5, { event: "initialized" }],
      [6, { command: "attach" }],
      [8, { command: "configurationDone" }],
      [10, { event: "stopped" }],
      [15, { command: "continue" }],
      [16, { event: "output" }],
      [20, { command: "configurationDone" }],
      [30, { event: "continued" }],
      [31, { event: "continued" }],
      [40, { event: "stopped" }],
    ] as const) {
      now = at;
      pauses.hear(message);
    }
    now = 100;
    assert.equal(pauses.time(), 5 + 20 + 60);
    now = 140;
    pauses.hear({ event: "terminated" });
    now = 500;
    assert.equal(pauses.time(), 5 + 20 + 100);
    assert.deepEqual(pauseChanges, [true, false, true, false]);
  });
});
