// What goes into the form and what comes out as a result: dates, lists, single values, nothing at all; and all of it in a narrow panel.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Runnable } from "../../protocol/panel.ts";
import { formula, parameter, report, request, rows, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("Values in the panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  const postFinished = (value: unknown) => panel.post({ type: "finished", report: report({ status: "succeeded", value }) });

  it("a day with or without a time is sent as entered", async () => {
    await panel.post(show(formula([parameter("when", { kind: "date" })])));
    const { page } = panel;
    await page.getByTestId("param-when").fill("2026-12-01");
    await page.keyboard.press("Control+Enter");
    assert.equal((await panel.message("run")).values.when, "2026-12-01");
    await postFinished("2026-12-01");
    await page.getByTestId("param-when-time").fill("10:30");
    await page.keyboard.press("Control+Enter");
    assert.equal((await panel.message("run")).values.when, "2026-12-01T10:30");
  });

  it("a date that the pickers cannot show is shown as text", async () => {
    const $date = "2026-12-01T10:00:00.000Z";
    await panel.post(show(formula([parameter("when", { kind: "date", suggestedValue: { $date } })])));
    assert.equal(await panel.page.getByTestId("param-when").inputValue(), $date);
    await panel.page.getByTestId("run").click();
    assert.equal((await panel.message("run")).values.when, $date);
  });

  it("a date can be typed by keyboard, and the pickers come back", async () => {
    await panel.post(show(formula([parameter("when", { kind: "date" })])));
    const { page } = panel;
    await page.getByTestId("param-when-as-text").focus();
    await page.keyboard.press("Enter");
    // The field gets the focus with the next frame; a key before that is lost.
    await page.locator('[data-testid="param-when"]:focus').waitFor();
    await page.keyboard.type("12/1/2026, 10:04 PM");
    await page.keyboard.press("Control+Enter");
    assert.equal((await panel.message("run")).values.when, "12/1/2026, 10:04 PM");
    await page.getByTestId("param-when").fill("2026-12-01");
    await page.getByRole("button", { name: "Pick when in a calendar" }).click();
    await panel.drawn();
    assert.deepEqual(
      [await page.getByTestId("param-when").getAttribute("type"), await page.getByTestId("param-when").inputValue()],
      ["date", "2026-12-01"],
    );
  });

  it("the picker stays while the day of a date with a time is empty", async () => {
    await panel.post(show(formula([parameter("when", { kind: "date" })])));
    const day = panel.page.getByTestId("param-when");
    await day.fill("2026-12-01");
    await panel.page.getByTestId("param-when-time").fill("10:30");
    await day.fill("");
    await panel.drawn();
    assert.deepEqual([await day.getAttribute("type"), await day.inputValue()], ["date", ""]);
    await day.fill("2026-12-02");
    await panel.page.getByTestId("run").click();
    assert.equal((await panel.message("run")).values.when, "2026-12-02");
  });

  it("a list of dates and a suggested live range are sent", async () => {
    const dates = { kind: "date", shape: "array" } as const;
    await panel.post(show(formula([parameter("range", { ...dates, suggestedValue: "last_30_days" }), parameter("days", dates)])));
    await panel.page.getByTestId("param-days").fill("2026-12-01, 2026-12-31");
    await panel.page.getByTestId("run").click();
    assert.deepEqual((await panel.message("run")).fields, [
      { key: "range", text: "last_30_days" },
      { key: "days", text: "2026-12-01, 2026-12-31" },
    ]);
  });

  it("a single value is shown whole and copied unchanged", async () => {
    const text = "word ".repeat(100).trim();
    await panel.post(show(formula([])));
    await postFinished(text);
    const value = panel.page.getByTestId("result-table");
    assert.equal(await value.innerText(), text);
    assert.equal(await panel.page.getByTestId("filter").count(), 0);
    await panel.page.getByTestId("copy").click();
    assert.equal((await panel.message("copy")).text, text);
    await postFinished("");
    assert.equal(await value.innerText(), "An empty string.");
    await postFinished(0);
    assert.equal(await value.innerText(), "0");
  });

  it("an empty result is reported", async () => {
    await panel.post(show(formula([])));
    await postFinished(null);
    await panel.page.getByText("The formula returned nothing. Its cell stays empty.").waitFor();
    await postFinished([]);
    await panel.page.getByText("No rows.").waitFor();
  });

  it("a cancelled table shows its number of rows", async () => {
    const { page } = panel;
    await panel.post(show(formula([])));
    const cancelled = (count: number) =>
      panel.post({ type: "finished", report: report({ status: "cancelled", value: rows(count), rows: count }) });
    await cancelled(0);
    await page.getByText("Cancelled after 0 rows.").waitFor();
    assert.equal(await page.getByText("No rows.").count(), 0);
    await cancelled(3);
    await page.getByText("Cancelled after 3 rows.").waitFor();
    await page.getByTestId("result-table").getByText("Task 2", { exact: true }).waitFor();
    await panel.post({ type: "finished", report: report({ status: "cancelled" }) });
    await page.getByText("Cancelled.", { exact: true }).waitFor();
  });

  it("requests are listed in order of their start, blocked ones marked", async () => {
    const requests = [
      request(2, { startedAt: 2_000 }),
      request(3, {
        startedAt: 1_500,
        status: undefined as never,
        failure: "blocked",
        failureReason: "not declared",
        sandbox: true,
        credentials: [],
      }),
      request(1, { startedAt: 1_000 }),
    ];
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: 1 }, { requests }) });
    await panel.page.getByTestId("tab-requests").click();
    await panel.drawn();
    const lines = await panel.page.getByTestId("request-row").allInnerTexts();
    assert.deepEqual(
      lines.map((line) => /tasks\/(\d)/.exec(line)?.[1]),
      ["1", "3", "2"],
    );
    assert.match(lines[1] ?? "", /blocked[\s\S]*not declared/);
    assert.ok(!lines[1]?.includes("sandbox"));
  });

  it("a changed row of a two-way table is sent, other tables take no edits", async () => {
    const table = (isTwoWay: boolean): Runnable => ({
      kind: "syncTable",
      definition: { name: "Tasks", parameters: [], varargParameters: [], connectionRequirement: "none", isDynamic: false, isTwoWay },
    });
    const { page } = panel;
    const target = { kind: "syncTable", name: "Tasks" } as const;
    await panel.post(show(table(true)), { type: "finished", report: report({ status: "succeeded", value: rows(3), rows: 3 }, { target }) });
    await page.getByTestId("result-table").getByText("Task 1").click();
    await page.getByTestId("edit-row").click();
    await page.getByTestId("send-row").click();
    await page.getByText("Change a value first. The row is unchanged.").waitFor();
    await page.getByTestId("row-text").fill("{ name");
    await page.getByTestId("send-row").click();
    await page.getByText("Enter valid JSON").waitFor();
    const editedRow = { id: 2, name: "Task one", done: false };
    await page.getByTestId("row-text").fill(JSON.stringify(editedRow));
    await page.getByTestId("send-row").click();
    const { update } = await panel.message("run");
    assert.deepEqual(update, { previousValue: { ...editedRow, name: "Task 1" }, newValue: editedRow, updatedFields: ["name"] });
    await panel.post({
      type: "finished",
      report: report(
        { status: "succeeded", value: [{ outcome: "success", finalValue: editedRow }] },
        { target: { kind: "update", name: "Tasks", updates: [] } },
      ),
    });
    await page.getByText("This is what executeUpdate returned").waitFor();
    await page.getByTestId("result-table").getByText("success").click();
    await page.getByTestId("row-detail").waitFor();
    assert.equal(await page.getByTestId("edit-row").count(), 0);
    await panel.post(show(table(false)), {
      type: "finished",
      report: report({ status: "succeeded", value: rows(3), rows: 3 }, { target }),
    });
    await page.getByTestId("result-table").getByText("Task 1").click();
    await page.getByTestId("row-detail").waitFor();
    assert.equal(await page.getByTestId("edit-row").count(), 0);
  });

  const tasks: Runnable = {
    kind: "syncTable",
    definition: {
      name: "Tasks",
      parameters: [parameter("list")],
      varargParameters: [],
      connectionRequirement: "none",
      isDynamic: false,
      isTwoWay: true,
    },
  };
  const target = { kind: "syncTable", name: "Tasks" } as const;

  it("options of an edited property are offered, and the chosen one entered", async () => {
    const schema = {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "number" },
          name: { type: "string", options: "name" },
          tags: { type: "array", items: { type: "string", options: ["a", "b"] } },
        },
      },
    };
    const { page } = panel;
    await panel.post(show(tasks), {
      type: "finished",
      report: report({ status: "succeeded", value: rows(3), rows: 3 }, { target, schema }),
    });
    await page.getByTestId("param-list").fill("home");
    await page.getByTestId("result-table").getByText("Task 1").click();
    await page.getByTestId("edit-row").click();
    const postChoices = async (field: string, search: string, values: readonly unknown[]) =>
      panel.post({
        type: "choices",
        field,
        search,
        choices: values.map((value) => ({ display: `«${value}»`, value: JSON.stringify(value) })),
      });
    await page.getByTestId("options-search").fill("o");
    await page.getByTestId("show-options").click();
    const choicesRequest = await panel.message("choices");
    assert.deepEqual(
      [choicesRequest.property, choicesRequest.search, choicesRequest.fields],
      [{ name: "name", row: { id: 2, name: "Task 1", done: false } }, "o", [{ key: "list", text: "home" }]],
    );
    await postChoices(choicesRequest.field, "o", ["other"]);
    await page.getByTestId("option").click();
    await page.getByTestId("options-of").selectOption("tags");
    await page.getByTestId("show-options").click();
    const tags = await panel.message("choices");
    await panel.drawn();
    // What was typed was for the other property.
    assert.deepEqual([tags.search, await page.getByTestId("options-search").inputValue()], ["", ""]);
    await postChoices(tags.field, "", ["a", "b"]);
    for (const name of ["«a»", "«b»", "«a»"]) await page.getByTestId("option").filter({ hasText: name }).click();
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string; impact: string }[] };
    assert.deepEqual(
      violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id),
      [],
    );
    await page.getByTestId("send-row").click();
    assert.deepEqual((await panel.message("run")).update?.newValue, { id: 2, name: "other", done: false, tags: ["b"] });
  });

  it("Read new appears only for a table with a completion", async () => {
    const { page } = panel;
    const postTable = (completion: unknown, previous?: unknown) =>
      panel.post({
        type: "finished",
        report: report(
          { status: "succeeded", value: rows(1), rows: 1 },
          {
            target: { ...target, ...(previous === undefined ? {} : { previousCompletion: previous }) },
            sync: { pages: 1, deleted: [], limitReached: false, rowsWithoutOwnId: 0, completion },
          },
        ),
      });
    await panel.post(show(tasks));
    await page.getByTestId("param-list").fill("home");
    await postTable({ hasIncompleteResults: true });
    await page.getByTestId("result-table").waitFor();
    assert.equal(await page.getByTestId("read-new").count(), 0);
    await postTable({ incrementalContinuation: { at: 1 } });
    await page.getByTestId("read-new").click();
    assert.equal((await panel.message("run")).sinceShown, true);
    await postTable({ incrementalContinuation: { at: 2 } }, { incrementalContinuation: { at: 1 } });
    await page.getByText("These rows are new since the completion of the previous run.").waitFor();
  });

  it("nothing is cut off in a panel of 300 pixels", async () => {
    const { page } = panel;
    await page.setViewportSize({ width: 300, height: 800 });
    const location = { path: `/${"very-long-folder/".repeat(5)}pack.ts`, line: 1, character: 0 };
    const stack = [{ text: `execute (${location.path}:2:1)`, location }];
    await panel.post(
      show(
        formula([parameter("aParameterWithAVeryLongNameIndeed", { description: "long".repeat(30) }), parameter("when", { kind: "date" })], {
          name: "AFormulaWithALongName",
          description: "long".repeat(40),
        }),
        {
          accountRequirement: "required",
          accounts: [
            {
              id: "a",
              label: "somebody.with.a.long.name@todo.example",
              sandbox: true,
              state: { state: "refused", reason: "the provider refused to renew the token", nextStep: "Sign in again." },
            },
          ],
          selectedAccount: "a",
        },
      ),
      {
        type: "history",
        entries: [
          {
            id: "one",
            pinned: false,
            startedAt: 1,
            duration: 5,
            status: "failed",
            input: { values: { a: "b".repeat(200) } },
            hasReport: true,
          },
        ],
      },
    );
    const reportParts = {
      requests: [request(1, { url: `https://api.todo.example/${"long".repeat(40)}` })],
      platformDifferences: [{ message: "note", location }],
    };
    const logged = [{ time: 1, level: "warn" as const, message: "x".repeat(300) }];
    for (const outcome of [
      { status: "succeeded", value: rows(30) },
      { status: "failed", error: { code: "TypeError", message: "x".repeat(200), stack } },
    ] as const) {
      await panel.post({ type: "finished", report: report(outcome, { ...reportParts, console: logged }) });
      for (const tab of ["result", "requests", "console", "afterUpload", "history"]) {
        await page.getByTestId(`tab-${tab}`).click();
        await panel.drawn();
        const tabs = await page
          .getByRole("tab")
          .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().right));
        assert.ok(Math.max(...tabs) <= 300, `${tab}: ${tabs}`);
        const width = await page.evaluate(() =>
          Math.max(document.documentElement.scrollWidth, document.querySelector("#tabpanel")?.scrollWidth ?? 0),
        );
        assert.ok(width <= 300, `${outcome.status} ${tab}: ${width}`);
      }
    }
  });
});
