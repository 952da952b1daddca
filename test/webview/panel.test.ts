// The formula panel in a real browser: what a person sees, types and gets, with the keyboard and with a screen reader's eyes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { HistoryEntry, Runnable } from "../../protocol/panel.ts";
import { formula, parameter, report, request, rows, show } from "../support/panel-messages.ts";
import { openPanelPage, panelOfEachTest } from "../support/panel-page.ts";

describe("the formula panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  it("auth-spec 1 step 5: asks for the account first, then each parameter by its type, and hides the optional ones", async () => {
    const account = { id: "a", label: "alice", sandbox: true, state: "ready" } as const;
    await panel.post(
      show(
        formula([
          parameter("when", { kind: "date" }),
          parameter("done", { kind: "boolean" }),
          parameter("count", { kind: "number", suggestedValue: 3 }),
          parameter("note", { kind: "markdown", optional: true }),
        ]),
        { accountRequirement: "required", accounts: [account], selectedAccount: "a" },
      ),
    );
    const { page } = panel;
    const labels = await page.locator("form label").allInnerTexts();
    assert.deepEqual(labels.slice(0, 4), ["Account *", "when *", "done *", "count *"]);
    assert.equal(await page.getByTestId("param-when").getAttribute("type"), "date");
    assert.equal(await page.getByTestId("param-count").inputValue(), "3");
    assert.equal(await page.getByTestId("param-note").isVisible(), false);
    assert.equal((await page.getByTestId("account").locator("option:checked").innerText()).trim(), "alice (sandbox)");
  });

  it("says at the field what is wrong, gives it the focus, and runs when it is right", async () => {
    await panel.post(show(formula([parameter("count", { kind: "number" }), parameter("ids", { kind: "number", shape: "array" })])));
    const { page } = panel;
    await page.getByTestId("param-count").fill("many");
    await page.getByTestId("param-ids").fill("1, 2");
    await page.keyboard.press("Control+Enter");
    await page.getByText("A number is wanted.").waitFor();
    await panel.drawn();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "param-count");
    assert.equal(await page.getByTestId("param-count").getAttribute("aria-invalid"), "true");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("7");
    await page.keyboard.press("Control+Enter");
    const { parameters, values } = await panel.message("run");
    assert.deepEqual(parameters, [7, [1, 2]]);
    assert.deepEqual(values, { count: "7", ids: "1, 2" });
    assert.deepEqual((await panel.memory())?.values, { count: "7", ids: "1, 2" });
  });

  it("takes repeated parameters as groups", async () => {
    await panel.post(show(formula([parameter("first")], { varargParameters: [parameter("key"), parameter("value", { kind: "number" })] })));
    const { page } = panel;
    await page.getByTestId("param-first").fill("x");
    await page.getByTestId("add").click();
    await page.getByTestId("add").click();
    await page.getByTestId("param-key#0").fill("a");
    await page.getByTestId("param-value#0").fill("1");
    await page.getByTestId("param-key#1").fill("b");
    await page.getByTestId("param-value#1").fill("2");
    await page.getByTestId("run").click();
    assert.deepEqual((await panel.message("run")).parameters, ["x", "a", 1, "b", 2]);
  });

  it("suggests values while typing, by keyboard alone", async () => {
    await panel.post(show(formula([parameter("city", { hasAutocomplete: true })])));
    const { page } = panel;
    await page.getByTestId("param-city").focus();
    await page.keyboard.type("li");
    const asked = await panel.message("choices");
    assert.deepEqual([asked.field, asked.parameter, asked.search], ["city", "city", "li"]);
    await panel.post(
      { type: "choices", field: "city", search: "old", choices: [{ display: "Stale", value: "stale" }] },
      {
        type: "choices",
        field: "city",
        search: "li",
        choices: [
          { display: "Lisbon", value: "lis" },
          { display: "Lima", value: "lim" },
        ],
      },
    );
    await page.getByRole("option", { name: "Lima" }).waitFor();
    assert.equal(await page.getByText("Stale").count(), 0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await panel.drawn();
    assert.equal(await page.getByTestId("param-city").inputValue(), "lim");
    assert.equal(await page.getByRole("listbox").isVisible(), false);
    assert.ok(!(await panel.posted()).some(({ type }) => type === "run"));
  });

  it("asks for a dynamic table and takes no row limit out of range", async () => {
    const table: Runnable = {
      kind: "syncTable",
      definition: { name: "Rows", parameters: [], varargParameters: [], connectionRequirement: "none", isDynamic: true },
    };
    await panel.post(show(table));
    const { page } = panel;
    await page.getByTestId("run").click();
    await page.getByText("A table is required.").waitFor();
    await page.getByTestId("dynamic-url").fill("https://api.todo.example/boards/1");
    await page.getByTestId("row-limit").fill("20000");
    await page.getByTestId("run").click();
    await page.getByText("A number from 1 to 10,000 is wanted.").waitFor();
    await page.getByTestId("row-limit").fill("50");
    await page.getByTestId("run").click();
    const run = await panel.message("run");
    assert.deepEqual([run.rowLimit, run.dynamicUrl], [50, "https://api.todo.example/boards/1"]);
  });

  it("shows 10,000 rows with only those in view in the document; sorts, filters, and shows a row whole by keyboard", async () => {
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: rows(10_000), rows: 10_000 }) });
    const { page } = panel;
    const grid = page.getByTestId("result-table");
    await grid.getByText("Task 0", { exact: true }).waitFor();
    assert.equal(await grid.getAttribute("aria-rowcount"), "10001");
    assert.ok((await page.locator(".grid-body .grid-row").count()) < 200);
    await page.getByTestId("sort-id").click();
    await grid.getByText("Task 9999", { exact: true }).waitFor();
    assert.equal(await grid.getByRole("columnheader").first().getAttribute("aria-sort"), "ascending");
    await grid.focus();
    await page.keyboard.press("End");
    await grid.getByText("Task 0", { exact: true }).waitFor();
    await page.getByTestId("row-detail").getByText('"Task 0"').waitFor();
    await page.getByTestId("filter").fill("task 123");
    await grid.getByText("Task 1239", { exact: true }).waitFor();
    assert.equal(await grid.getAttribute("aria-rowcount"), "12");
    await page.getByTestId("copy").click();
    const { text } = await panel.message("copy");
    assert.equal(text.split("\n").length, 12);
    assert.match(text, /^id\tname\tdone\n/);
    await page.getByTestId("filter").fill("nothing like it");
    await page.getByText("No row holds").waitFor();
  });

  it("renders values as the schema says: links, images behind a click, dates, amounts; never as markup", async () => {
    const schema = {
      type: "array",
      items: {
        type: "object",
        properties: {
          site: { type: "string", codaType: "url" },
          photo: { type: "string", codaType: "image" },
          share: { type: "number", codaType: "percent" },
          note: { type: "string", codaType: "html" },
          Due: { type: "string", codaType: "date", fromKey: "due_at" },
        },
      },
    };
    const value = [
      {
        site: "https://todo.example/1",
        photo: "https://todo.example/p.png",
        share: 0.25,
        note: "<b>x</b><script>1</script>",
        due_at: "2026-12-01",
      },
      { site: "javascript:alert(1)", photo: "data:image/png;base64,AA", share: 1, note: "", due_at: "" },
    ];
    await panel.post(show(formula([], { schema })), { type: "finished", report: report({ status: "succeeded", value, rows: 2 }) });
    const { page } = panel;
    const asked: string[] = [];
    await page.route("https://todo.example/**", (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    await page.getByTestId("view-rendered").click();
    await page.getByText("25%").waitFor();
    assert.equal(await page.locator("#panel a").count(), 1);
    assert.deepEqual(asked, []);
    await page.getByText("<b>x</b><script>1</script>").waitFor();
    await page.getByText("https://todo.example/1").click();
    assert.equal((await panel.message("openLink")).url, "https://todo.example/1");
    await page.getByRole("button", { name: "Show image" }).click();
    await page.getByText("The image could not be loaded.").waitFor();
    assert.deepEqual(asked, ["https://todo.example/p.png"]);
  });

  it("opens any tree, however large, bit by bit; and raw text", async () => {
    const value = { list: Array.from({ length: 1_000 }, (_, index) => index), deep: { deeper: { deepest: null } } };
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value }) });
    const { page } = panel;
    await page.getByTestId("view-json").click();
    await page.getByText("[1000]").click();
    await page.getByText("Show more (800 left)").click();
    await page.getByText("Show more (600 left)").waitFor();
    await page.getByTestId("view-raw").click();
    await page.getByTestId("result-raw").getByText('"deepest": null').waitFor();
  });

  it("shows requests as a waterfall with the mark of the credential, as cURL and as HAR, masked", async () => {
    const requests = [
      request(1),
      request(2, { status: 404, startedAt: 1_100, duration: 100 }),
      request(3, { url: "https://cdn.example/a.png", refused: "cdn.example is under no declared network domain", credentials: [] }),
    ];
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: 1 }, { requests }) });
    const { page } = panel;
    await page.getByTestId("tab-requests").click();
    assert.equal(await page.getByTestId("credential-mark").first().innerText(), "Authorization → api.todo.example");
    await page.getByText("under no declared network domain").waitFor();
    await page.getByTestId("request-row").first().locator("summary").click();
    await page.getByTestId("copy-curl").first().click();
    const { text } = await panel.message("copy");
    assert.match(text, /'authorization: Bearer ••••'/);
    assert.match(text, /'x-note: it'\\''s'/);
    await page.getByTestId("save-har").click();
    const saved = await panel.message("save");
    const har = JSON.parse(saved.text) as { log: { entries: readonly { response: { status: number }; comment?: string }[] } };
    assert.deepEqual(
      har.log.entries.map(({ response }) => response.status),
      [200, 404, 200],
    );
    assert.match(har.log.entries[2]?.comment ?? "", /Refused/);
  });

  it("links errors and parity notes to the source", async () => {
    const location = { path: "/todo/pack.ts", line: 40, character: 2 };
    const error = {
      code: "pack-threw",
      message: "No such task",
      hint: "Try another.",
      stack: [{ text: "execute (/todo/pack.ts:41:3)", location }],
    };
    await panel.post(show(formula([])), {
      type: "finished",
      report: report({ status: "failed", error }, { parity: [{ message: "setTimeout is absent", location }] }),
    });
    const { page } = panel;
    await page.getByTestId("frame").click();
    assert.deepEqual((await panel.message("open")).location, location);
    await page.getByTestId("tab-parity").click();
    await page.getByRole("button", { name: "pack.ts:41" }).click();
    assert.equal((await panel.posted()).filter(({ type }) => type === "open").length, 2);
  });

  it("says where the result is not what the schema says, and at its field what is wrong with a parameter", async () => {
    const warnings = [{ path: "[0].due", message: "is no date" }];
    await panel.post(show(formula([parameter("city")])), {
      type: "finished",
      report: report({ status: "succeeded", value: rows(2), rows: 2 }, { warnings, sync: { pages: 1, deleted: [1], limitReached: true } }),
    });
    const { page } = panel;
    await page.getByText("There are more rows than were asked for.").waitFor();
    await page.getByText("1 value is not what the schema says").click();
    await page.getByText("is no date").waitFor();
    await panel.post({
      type: "finished",
      report: report({ status: "failed", error: { code: "invalid-parameter", message: "city must be a text" } }, { field: "city" }),
    });
    assert.equal(await page.getByTestId("param-city").getAttribute("aria-invalid"), "true");
  });

  it("runs again from the history, recalls, and compares two runs", async () => {
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
    assert.deepEqual((await panel.message("run")).parameters, ["two"]);
  });

  it("runs again on save where that is wanted, and never twice at once", async () => {
    await panel.post(show(formula([])), { type: "saved" });
    assert.ok(!(await panel.posted()).some(({ type }) => type === "run"));
    await panel.page.getByTestId("run-on-save").click();
    await panel.post({ type: "saved" }, { type: "started" }, { type: "saved" });
    assert.equal((await panel.posted()).filter(({ type }) => type === "run").length, 1);
    assert.equal((await panel.memory())?.runOnSave, true);
    await panel.page.keyboard.press("Escape");
    await panel.message("cancel");
  });

  it("keeps what was entered over a reload of the window", async () => {
    const again = await openPanelPage({
      target: { entry: "/todo/pack.ts", kind: "formula", name: "GetTask" },
      values: { city: "Lisbon" },
      runOnSave: true,
    });
    await again.post(show(formula([parameter("city", { suggestedValue: "Porto" })])));
    assert.equal(await again.page.getByTestId("param-city").inputValue(), "Lisbon");
    assert.equal(await again.page.getByTestId("run-on-save").isChecked(), true);
    await again.close();
  });

  it("has nothing serious that axe-core finds, in any tab and view", async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const { page } = panel;
    await page.evaluate(axe);
    const account = { id: "a", label: "alice", sandbox: false, state: "ready" } as const;
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
          { requests: [request(1)], console: [{ time: 1, level: "warn", message: "careful" }], parity: [{ message: "note" }] },
        ),
      },
    );
    const problems: string[] = [];
    const look = async (where: string): Promise<void> => {
      await panel.drawn();
      const found = (await page.evaluate("axe.run()")) as {
        violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
      };
      for (const { id, impact, nodes } of found.violations)
        if (impact === "serious" || impact === "critical")
          problems.push(`${where}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
    };
    for (const view of ["table", "rendered", "json", "raw"]) {
      await page.getByTestId(`view-${view}`).click();
      await look(view);
    }
    for (const tab of ["requests", "console", "parity", "history"]) {
      await page.getByTestId(`tab-${tab}`).click();
      await look(tab);
    }
    await panel.post({ type: "finished", report: report({ status: "failed", error: { code: "x", message: "y", hint: "z" } }) });
    await page.getByTestId("tab-result").click();
    await look("error");
    assert.deepEqual(problems, []);
  });
});
