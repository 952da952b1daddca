// The time of a run in the panel: what the author waited for it, and beside it what the engine took.
import assert from "node:assert/strict";
import { formula, report, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

/** Milliseconds that the tests let pass. */
const WHILE = 300;

describe("The time of a run", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  const finishedReport = report({ status: "succeeded", value: 1 }, { duration: 13 });

  const now = (): Promise<number> => panel.page.evaluate(() => performance.now());
  const pass = async (): Promise<void> => {
    const end = (await now()) + WHILE;
    await panel.page.waitForFunction((until) => performance.now() > until, end);
  };
  const status = async (): Promise<string> => (await panel.page.getByTestId("status").textContent()) ?? "";
  const begin = async (): Promise<void> => {
    await panel.page.getByTestId("run").click();
    await panel.message("run");
    await panel.post({ type: "started" });
  };

  it("the time is the author's wait from Run to the result, beside the engine's", async () => {
    await panel.post(show(formula([])));
    const before = await now();
    await begin();
    await pass();
    await panel.post({ type: "finished", report: finishedReport });
    const waited = Number(/^OK · (\d+) ms, engine 13 ms$/.exec(await status())?.[1]);
    assert.ok(waited >= WHILE && waited <= (await now()) - before, await status());
  });

  it("the time leaves out pauses of the debugger", async () => {
    await panel.post(show(formula([])));
    const before = await now();
    await begin();
    await panel.post({ type: "paused", isPaused: true });
    await pass();
    await panel.post({ type: "paused", isPaused: false });
    await panel.post({ type: "paused", isPaused: true });
    await pass();
    await panel.post({ type: "finished", report: finishedReport });
    const waited = Number(/^OK · (\d+) ms, engine 13 ms$/.exec(await status())?.[1]);
    assert.ok(waited >= 0 && waited <= (await now()) - before - 2 * WHILE, await status());
  });

  it("the time of a recalled run is the engine's only", async () => {
    await panel.post(show(formula([])));
    await begin();
    await panel.post(
      { type: "finished", report: finishedReport },
      { type: "recalled", id: "1", report: { ...finishedReport, duration: 21 } },
    );
    assert.match(await status(), /· OK · engine 21 ms$/);
  });
});
