// What is waited for only as long as nobody stops it.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { abortable, withinTime } from "../../../platform/network/abortable.ts";

const never = new Promise<never>(() => {});
const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
};

describe("What is waited for", () => {
  it("gives what comes of it, and leaves no listener", async () => {
    const { signal } = new AbortController();
    assert.equal(await abortable(Promise.resolve(1), signal), 1);
    await assert.rejects(abortable(Promise.reject(new Error("lost")), signal), /lost/);
    await new Promise(setImmediate);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  it("is given up as soon as the signal is aborted, or where it was before", async () => {
    const stop = new AbortController();
    const waited = abortable(never, stop.signal);
    stop.abort(new Error("stopped"));
    await assert.rejects(waited, /stopped/);
    await assert.rejects(abortable(never, stop.signal), /stopped/);
  });

  it("is stopped by its time or by the other signal, whichever is first", async () => {
    const stop = new AbortController();
    await aborted(withinTime(1, undefined));
    await aborted(withinTime(1, stop.signal));
    const long = withinTime(100_000, stop.signal);
    assert.equal(long.aborted, false);
    stop.abort();
    assert.equal(long.aborted, true);
  });
});
