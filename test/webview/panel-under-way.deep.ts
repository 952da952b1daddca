// A run that takes its time: the panel counts the time that goes by, and names the requests that wait for their answers.
import assert from "node:assert/strict";
import { formula, report, request, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("A pending run", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  const waiting = { id: 2, method: "GET", url: "https://api.todo.example/slow", time: 2_000 };

  it("the elapsed time is shown without being read aloud at each tick", async () => {
    const time = panel.page.getByTestId("time");
    await panel.post(show(formula([])), { type: "started" });
    await time.filter({ hasText: /^\d+\.\d s$/ }).waitFor();
    await time.filter({ hasText: /^[1-9]\.\d s$/ }).waitFor();
    assert.equal(await time.getAttribute("role"), "timer");
    assert.equal(await panel.page.getByTestId("status").innerText(), "Running…");
    await panel.post({ type: "finished", report: report({ status: "succeeded", value: 1 }) });
    assert.equal(await time.count(), 0);
  });

  it("the elapsed time pauses with the debugger", async () => {
    const time = panel.page.getByTestId("time");
    await panel.post(show(formula([])), { type: "started" });
    await time.filter({ hasText: /s$/ }).waitFor();
    await panel.post({ type: "paused", isPaused: true }, { type: "underWay", requests: [waiting] });
    const clock = panel.page.getByTestId("under-way");
    // What shows the request shows the pause.
    await clock.getByText(/^\d+\.\d s$/).waitFor();
    const before = await time.innerText();
    // The request's own clock goes on.
    await clock.getByText(/^[3-9]\.\d s$/).waitFor();
    assert.equal(await time.innerText(), before);
    await panel.post({ type: "paused", isPaused: false });
    await panel.page.waitForFunction(
      (earlierText) => document.querySelector('[data-testid="time"]')?.textContent?.trim() !== earlierText,
      before,
    );
    assert.ok(Number.parseFloat(await time.innerText()) < Number.parseFloat(before) + 1);
  });

  it("pending requests are named beside answered ones on both tabs", async () => {
    const { page } = panel;
    await panel.post(
      show(formula([])),
      { type: "started" },
      { type: "request", request: request(1) },
      { type: "underWay", requests: [waiting] },
    );
    const underWayView = page.getByTestId("under-way");
    await underWayView.getByText("Requests: 1 answered. 1 under way:").waitFor();
    await underWayView.getByText("https://api.todo.example/slow").waitFor();
    await underWayView.getByText(/^[2-9]\.\d s$/).waitFor();
    await page.getByTestId("tab-requests").click();
    await underWayView.getByText("https://api.todo.example/slow").waitFor();
    await panel.post({ type: "underWay", requests: [] }, { type: "finished", report: report({ status: "succeeded", value: 1 }) });
    assert.equal(await underWayView.count(), 0);
  });
});
