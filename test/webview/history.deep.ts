// The list of runs in the panel: one line each, and what can be done with one where the pointer or the focus is.
import assert from "node:assert/strict";
import type { HistoryEntry } from "../../protocol/panel.ts";
import { formula, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("The history in the panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  const entry = (id: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
    id,
    pinned: false,
    startedAt: 1_000,
    duration: 512,
    status: "succeeded",
    rows: 1_000,
    account: "a-long-name-of-an-account@acme.example",
    input: { values: { note: "a long value ".repeat(20) } },
    hasReport: true,
    ...more,
  });
  const row = (index: number) => panel.page.getByTestId("history-row").nth(index);
  async function showRuns(entries: readonly HistoryEntry[]): Promise<void> {
    await panel.post(show(formula([])), { type: "history", entries });
    await panel.page.getByTestId("tab-history").click();
    await panel.page.mouse.move(0, 0);
    await panel.drawn();
  }

  it("each run has one line at any width", async () => {
    for (const width of [1000, 600, 500, 400]) {
      await panel.page.setViewportSize({ width, height: 800 });
      await showRuns([entry("one"), entry("two", { input: { values: {} } }), entry("three", { status: "cancelled" })]);
      for (const index of [0, 1, 2]) {
        const height = (await row(index).boundingBox())?.height ?? 0;
        assert.ok(height > 10 && height < 34, `${height} px at ${width} px`);
      }
      const overflow = await panel.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0);
      assert.equal(await row(0).locator("time").isVisible(), width >= 500, `the time of a run at ${width} px`);
    }
  });

  it("a run's actions appear on hover or focus, and a pin always", async () => {
    await showRuns([entry("one", { pinned: true }), entry("two")]);
    const isVisible = (index: number, name: string) =>
      row(index)
        .getByRole("button", { name, exact: true })
        .evaluate((button) => getComputedStyle(button).opacity === "1");
    assert.deepEqual([await isVisible(0, "Pin"), await isVisible(0, "Run again"), await isVisible(1, "Pin")], [true, false, false]);
    await row(1).hover();
    assert.deepEqual([await isVisible(1, "Run again"), await isVisible(1, "Name"), await isVisible(1, "Remove")], [true, true, true]);
    await panel.page.mouse.move(0, 0);
    await row(0).getByRole("checkbox").focus();
    assert.equal(await isVisible(0, "Remove"), true);
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.message("pin"), { type: "pin", id: "one", pinned: false });
  });

  it("two runs can be chosen to compare, a third cannot", async () => {
    await showRuns(["one", "two", "three"].map((id) => entry(id)));
    const boxes = panel.page.getByTestId("history-row").getByRole("checkbox");
    for (const index of [0, 2]) await boxes.nth(index).check();
    await panel.drawn();
    assert.deepEqual(await Promise.all((await boxes.all()).map((box) => box.isDisabled())), [false, true, false]);
  });
});
