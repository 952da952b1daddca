// The formula panel in a real browser, as a whole: its history, its memory, and what a screen reader meets in it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { HistoryEntry } from "../../protocol/panel.ts";
import { formula, parameter, report, request, rows, show } from "../support/panel-messages.ts";
import { openPanelPage, panelOfEachTest } from "../support/panel-page.ts";

describe("The formula panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  it("a run can be repeated and recalled from the history, and two compared", async () => {
    const entry = (id: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
      id,
      pinned: false,
      startedAt: 1_000,
      duration: 5,
      status: "succeeded",
      input: { values: { city: id } },
      hasReport: true,
      ...more,
    });
    await panel.post(show(formula([parameter("city")])), {
      type: "history",
      entries: [entry("one", { pinned: true, name: "The good one" }), entry("two"), entry("three", { hasReport: false })],
    });
    const { page } = panel;
    await page.getByTestId("tab-history").click();
    await page.getByRole("checkbox", { name: /The good one/ }).click();
    await page.getByRole("checkbox", { name: /city: two/ }).click();
    await panel.drawn();
    assert.equal(await page.getByRole("checkbox", { name: /city: three/ }).isDisabled(), true);
    await page.getByTestId("compare").click();
    assert.deepEqual((await panel.message("compare")).ids, ["one", "two"]);
    await page.getByTestId("recall").first().click();
    assert.equal((await panel.message("recall")).id, "one");
    await page.getByTestId("run-again").nth(1).click();
    assert.deepEqual((await panel.message("run")).fields, [{ key: "city", text: "two" }]);
  });

  it("a repeated run shows its own choices", async () => {
    const entry = (id: string): HistoryEntry => ({
      id,
      pinned: false,
      startedAt: 1_000,
      duration: 5,
      status: "succeeded",
      input: { values: { done: "true" } },
      hasReport: true,
    });
    await panel.post(show(formula([parameter("done", { kind: "boolean" })])), { type: "history", entries: [entry("one")] });
    const { page } = panel;
    const choiceField = page.getByTestId("param-done");
    await choiceField.selectOption("true");
    await choiceField.selectOption("false");
    await page.getByTestId("tab-history").click();
    await page.getByTestId("run-again").click();
    assert.equal((await panel.message("run")).values.done, "true");
    assert.equal(await choiceField.inputValue(), "true");
  });

  it("a save runs again if chosen, and never twice at once", async () => {
    await panel.post(show(formula([])), { type: "saved" });
    assert.ok(!(await panel.posted()).some(({ type }) => type === "run"));
    await panel.page.getByTestId("run-on-save").click();
    await panel.post({ type: "saved" }, { type: "started" }, { type: "saved" });
    assert.equal((await panel.posted()).filter(({ type }) => type === "run").length, 1);
    assert.equal((await panel.memory())?.runOnSave, true);
    await panel.page.keyboard.press("Escape");
    await panel.message("cancel");
    await panel.post({ type: "finished", report: report({ status: "cancelled" }) });
    assert.equal((await panel.posted()).filter(({ type }) => type === "run").length, 1, "a cancelled run stays cancelled");
  });

  it("a file that changes during a run runs again after it, once", async () => {
    const runs = async () => (await panel.posted()).filter(({ type }) => type === "run").length;
    const finished = { type: "finished", report: report({ status: "succeeded", value: 1 }) } as const;
    await panel.post(show(formula([])));
    await panel.page.getByTestId("run-on-save").click();
    await panel.post({ type: "saved" }, { type: "started" }, { type: "saved" }, { type: "saved" }, finished);
    assert.equal(await runs(), 2);
    await panel.post({ type: "started" }, finished);
    assert.equal(await runs(), 2);
    await panel.post({ type: "saved" }, { type: "started" }, { type: "saved" }, { type: "notStarted", problems: {} });
    assert.equal(await runs(), 4, "a run that did not build is repeated with the file that was mended meanwhile");
  });

  it("a pause by the debugger is shown, and its end too", async () => {
    const statusText = () => panel.page.getByTestId("status").textContent();
    await panel.post(show(formula([])), { type: "started" }, { type: "paused", isPaused: true });
    assert.equal(await statusText(), "Paused");
    assert.equal(await panel.page.getByTestId("result").textContent(), "Paused");
    assert.equal(await panel.page.getByRole("progressbar", { name: "Paused" }).count(), 1);
    await panel.post({ type: "paused", isPaused: false });
    assert.equal(await statusText(), "Running…");
    await panel.post({ type: "rows", count: 2 }, { type: "paused", isPaused: true });
    assert.equal(await statusText(), "Paused · 2 rows");
    await panel.post({ type: "started" });
    assert.equal(await statusText(), "Running…");
  });

  it("entered values survive a reload of the window", async () => {
    const again = await openPanelPage({
      target: { entry: "/todo/pack.ts", kind: "formula", name: "GetTask" },
      values: { city: "Lisbon" },
      runOnSave: true,
    });
    await again.post(show(formula([parameter("city", { suggestedValue: "Porto" })])));
    assert.equal(await again.page.getByTestId("param-city").inputValue(), "Lisbon");
    assert.equal(await again.page.getByTestId("run-on-save").getAttribute("aria-pressed"), "true");
    await again.close();
  });

  // Nine looks at everything that is shown, each of them all that a busy machine has for seconds.
  it("axe finds nothing serious in any tab and view", async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const { page } = panel;
    await page.evaluate(axe);
    const account = { id: "a", label: "alice", sandbox: false, state: { state: "ready" } } as const;
    await panel.post(
      show(formula([parameter("city", { hasAutocomplete: true }), parameter("done", { kind: "boolean", optional: true })]), {
        accountRequirement: "optional",
        accounts: [account],
      }),
      {
        type: "history",
        entries: [{ id: "one", pinned: false, startedAt: 1, duration: 5, status: "failed", input: { values: {} }, hasReport: true }],
      },
      {
        type: "finished",
        report: report(
          { status: "succeeded", value: rows(30), rows: 30 },
          { requests: [request(1)], console: [{ time: 1, level: "warn", message: "careful" }], platformDifferences: [{ message: "note" }] },
        ),
      },
    );
    const problems: string[] = [];
    const look = async (where: string): Promise<void> => {
      await panel.drawn();
      const axeResults = (await page.evaluate("axe.run()")) as {
        violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
      };
      for (const { id, impact, nodes } of axeResults.violations)
        if (impact === "serious" || impact === "critical")
          problems.push(`${where}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
    };
    for (const view of ["table", "preview", "tree", "json"]) {
      await page.getByTestId(`view-${view}`).click();
      await look(view);
    }
    for (const tab of ["requests", "console", "afterUpload", "history"]) {
      await page.getByTestId(`tab-${tab}`).click();
      await look(tab);
    }
    await panel.post({ type: "finished", report: report({ status: "failed", error: { code: "x", message: "y", hint: "z" } }) });
    await page.getByTestId("tab-result").click();
    await look("error");
    assert.deepEqual(problems, []);
  }).timeout(120_000);
});
