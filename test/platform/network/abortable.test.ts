// What is waited for only as long as nobody stops it.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { abortable, withinTime } from "../../../platform/network/abortable.ts";

const never = new Promise<never>(() => {});
const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
};

describe("An abortable wait", () => {
  it("a wait returns the promise's outcome and leaves no listener", async () => {
    const { signal } = new AbortController();
    assert.equal(await abortable(Promise.resolve(1), signal), 1);
    await assert.rejects(abortable(Promise.reject(new Error("lost")), signal), /lost/);
    await new Promise(setImmediate);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  it("an aborted signal ends the wait at once, also if aborted before", async () => {
    const stop = new AbortController();
    const waited = abortable(never, stop.signal);
    stop.abort(new Error("stopped"));
    await assert.rejects(waited, /stopped/);
    await assert.rejects(abortable(never, stop.signal), /stopped/);
  });

  it("a time limit combines with a signal, and the first one ends the wait", async () => {
    const stop = new AbortController();
    await aborted(withinTime(1, undefined));
    await aborted(withinTime(1, stop.signal));
    const long = withinTime(100_000, stop.signal);
    assert.equal(long.aborted, false);
    stop.abort();
    assert.equal(long.aborted, true);
  });
});
