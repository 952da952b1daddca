// A time limit is heard also where the memory was swept meanwhile, and leaves nothing on the signal that it stands beside.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { abortable, withinTime } from "../../../platform/network/abortable.ts";

describe("A time limit", () => {
  setFlagsFromString("--expose-gc");
  const sweep = runInNewContext("gc") as () => void;
  const forever = new Promise<never>(() => {});

  for (const [what, signal] of [
    ["alone", undefined],
    ["beside a signal", new AbortController().signal],
  ] as const)
    it(`a time limit ${what} fires after garbage collection`, async () => {
      const waiting = abortable(forever, withinTime(200, signal)).catch((error: unknown) => error);
      for (let round = 0; round < 5; round++) {
        await pause(20);
        sweep();
      }
      const firstSettled = await Promise.race([waiting, pause(1_000)]);
      assert.equal((firstSettled as Error | undefined)?.name, "TimeoutError");
      // Ten are enough for a warning of Node's.
      if (signal !== undefined) assert.deepEqual(getEventListeners(signal, "abort"), []);
    });

  it("the combined signal ends the wait with its own reason", async () => {
    const stop = new AbortController();
    const waiting = abortable(forever, withinTime(60_000, stop.signal));
    stop.abort(new Error("enough"));
    await assert.rejects(waiting, { message: "enough" });
    await assert.rejects(abortable(forever, withinTime(60_000, stop.signal)), { message: "enough" });
  });
});
