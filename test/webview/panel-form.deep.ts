// The panel's form in a real browser: what a person is asked for, types, and is told at the field, with the keyboard.
import assert from "node:assert/strict";
import type { Runnable } from "../../protocol/panel.ts";
import { formula, parameter, show } from "../support/panel-messages.ts";
import { openPanelPage, panelOfEachTest } from "../support/panel-page.ts";

describe("The panel's form", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  it("auth-spec 1 step 5: the form begins with the account, then each parameter, with optional ones hidden", async () => {
    const account = { id: "a", label: "alice", sandbox: true, state: { state: "ready" } } as const;
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

  it("secondary actions are icons in one toolbar with name, tooltip and keyboard access", async () => {
    const account = (id: string) => ({ id, label: id, sandbox: true, state: { state: "ready" } }) as const;
    await panel.post(show(formula([parameter("city")]), { accountRequirement: "required", accounts: [account("a"), account("b")] }));
    const { page } = panel;
    const buttons = page.getByRole("toolbar", { name: "Options and further runs" }).getByRole("button");
    const names = ["Run as the assistant, and not as a document", "Run again when a file of the pack changes", "Save as test"];
    assert.deepEqual(await buttons.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label"))), names);
    for (const button of await buttons.all()) {
      const name = await button.getAttribute("aria-label");
      assert.ok((await button.getAttribute("title"))?.startsWith(name ?? "?"), `${name} has no tooltip`);
      assert.deepEqual([await button.innerText(), await button.locator("svg").count()], ["", 1]);
    }
    const middles = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    assert.equal(new Set(middles).size, 1, "they stand in one line");
    await page.getByTestId("param-city").focus();
    await page.keyboard.press("Tab");
    const passed: (string | null)[] = [];
    for (const key of ["ArrowRight", "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"]) {
      await page.keyboard.press(key);
      passed.push(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null));
    }
    assert.deepEqual(passed, [names[1], names[2], names[2], names[0], names[2], names[0]]);
    await page.keyboard.press("Space");
    await panel.drawn();
    assert.equal(await buttons.first().getAttribute("aria-pressed"), "true");
  });

  it("Save as test records the form with the selected account", async () => {
    const account = (id: string) => ({ id, label: id, sandbox: false, state: { state: "ready" } }) as const;
    const accounts = [account("alice"), account("bob")];
    await panel.post(show(formula([parameter("id")]), { accountRequirement: "required", accounts, selectedAccount: "alice" }));
    const { page } = panel;
    await page.getByTestId("param-id").fill("7");
    await page.getByTestId("account").selectOption("bob");
    await page.getByRole("button", { name: "Save as test" }).click();
    assert.deepEqual(await panel.message("saveTest"), { type: "saveTest", fields: [{ key: "id", text: "7" }], account: "bob" });
  });

  it("a run as the assistant stays chosen", async () => {
    await panel.post(show(formula([])));
    const { page } = panel;
    await page.getByTestId("run").click();
    assert.equal((await panel.message("run")).asAssistant, undefined);
    await panel.post({ type: "started" }, { type: "notStarted", problems: {} });
    await page.getByRole("button", { name: "Run as the assistant, and not as a document", pressed: false }).click();
    await page.getByTestId("run").click();
    await panel.drawn();
    const runs = (await panel.posted()).filter(({ type }) => type === "run");
    assert.deepEqual(
      runs.map((run) => (run as { asAssistant?: boolean }).asAssistant),
      [undefined, true],
    );
    assert.equal((await panel.memory())?.values["#asAssistant"], "true");
  });

  it("a problem is shown at its field, which gets the focus and is sent again", async () => {
    await panel.post(show(formula([parameter("count", { kind: "number" }), parameter("ids", { kind: "number", shape: "array" })])));
    const { page } = panel;
    await page.getByTestId("param-count").fill("many");
    await page.getByTestId("param-ids").fill("1, 2");
    await page.keyboard.press("Control+Enter");
    const fields = [
      { key: "count", text: "many" },
      { key: "ids", text: "1, 2" },
    ];
    assert.deepEqual((await panel.message("run")).fields, fields);
    await panel.post({ type: "started" }, { type: "notStarted", problems: { count: "count must be a number." } });
    await page.getByText("count must be a number.").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "param-count");
    assert.equal(await page.getByTestId("param-count").getAttribute("aria-invalid"), "true");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("7");
    await panel.drawn();
    assert.equal(await page.getByText("count must be a number.").count(), 0);
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction(
      () => (window as never as { posted: { type: string }[] }).posted.filter(({ type }) => type === "run").length === 2,
    );
    assert.deepEqual((await panel.message("run")).values, { count: "7", ids: "1, 2" });
    assert.deepEqual((await panel.memory())?.values, { count: "7", ids: "1, 2" });
  });

  it("a run on save does not move the focus", async () => {
    await panel.post(show(formula([parameter("city"), parameter("note")])));
    await panel.page.getByTestId("run-on-save").click();
    await panel.page.getByTestId("param-note").focus();
    await panel.post({ type: "saved" }, { type: "started" }, { type: "notStarted", problems: { city: "GetTask needs a value for city." } });
    await panel.page.getByText("GetTask needs a value for city.").waitFor();
    assert.equal(await panel.page.evaluate(() => document.activeElement?.id), "param-note");
  });

  it("fields hold the formula's first example until the author changes them", async () => {
    const withExamples = formula(
      [
        parameter("city"),
        parameter("days", { kind: "number" }),
        parameter("tags", { shape: "array", optional: true }),
        parameter("unit", { suggestedValue: "C" }),
      ],
      {
        varargParameters: [parameter("key"), parameter("value", { kind: "boolean" })],
        examples: [
          { result: 1 },
          { params: ["Lisbon", 3, ["a", "b"], null, "x", true, "y"], result: 2 },
          { params: ["Porto", 4], result: 3 },
        ],
      },
    );
    await panel.post(show(withExamples));
    const { page } = panel;
    assert.equal(await page.getByTestId("param-tags").isVisible(), true);
    await page.getByTestId("param-city").fill("");
    await page.getByTestId("param-days").fill("5");
    // As when the pack is saved.
    await panel.post(show(withExamples));
    await page.getByTestId("run").click();
    const { fields } = await panel.message("run");
    assert.deepEqual(
      fields.map(({ key, text }) => [key, text]),
      [
        ["city", ""],
        ["days", "5"],
        ["tags", '["a","b"]'],
        ["unit", "C"],
        ["key#0", "x"],
        ["value#0", "true"],
        ["key#1", "y"],
        ["value#1", ""],
      ],
    );
  });

  it("remembered or entered values are not replaced by an example", async () => {
    const parameters = [parameter("city"), parameter("days")];
    await panel.post(show(formula(parameters)));
    await panel.page.getByTestId("param-city").fill("Porto");
    await panel.post(show(formula(parameters, { examples: [{ params: ["Lisbon", "3"] }] })));
    assert.deepEqual((await panel.memory())?.values, { city: "Porto" });
    const again = await openPanelPage(await panel.memory());
    await again.post(show(formula(parameters, { examples: [{ params: ["Lisbon", "3"] }] })));
    for (const [name, value] of [
      ["city", "Porto"],
      ["days", ""],
    ])
      assert.equal(await again.page.getByTestId(`param-${name}`).inputValue(), value);
    await again.close();
  });

  it("varargs are entered as groups", async () => {
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
    assert.deepEqual((await panel.message("run")).fields, [
      { key: "first", text: "x" },
      { key: "key#0", text: "a" },
      { key: "value#0", text: "1" },
      { key: "key#1", text: "b" },
      { key: "value#1", text: "2" },
    ]);
  });

  it("suggestions appear while typing and can be chosen by keyboard", async () => {
    await panel.post(show(formula([parameter("city", { hasAutocomplete: true })])));
    const { page } = panel;
    await page.getByTestId("param-city").focus();
    await page.keyboard.type("li");
    // Where the machine pauses between the two keys, the panel asks for what was typed until then too.
    const choicesRequest = await panel.message("choices", { search: "li" });
    assert.deepEqual([choicesRequest.field, choicesRequest.parameter], ["city", "city"]);
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

  it("a dynamic table is required, and a row limit out of range refused", async () => {
    const table: Runnable = {
      kind: "syncTable",
      definition: { name: "Rows", parameters: [], varargParameters: [], connectionRequirement: "none", isDynamic: true },
    };
    await panel.post(show(table));
    const { page } = panel;
    await page.getByTestId("run").click();
    await page.getByText("Choose a table.").waitFor();
    await page.getByTestId("dynamic-url").fill("https://api.todo.example/boards/1");
    await page.getByTestId("row-limit").fill("20000");
    await page.getByTestId("run").click();
    await page.getByText("Enter a number from 1 to 10,000.").waitFor();
    await page.getByTestId("row-limit").fill("50");
    await page.getByTestId("run").click();
    const run = await panel.message("run");
    assert.deepEqual([run.rowLimit, run.dynamicUrl], [50, "https://api.todo.example/boards/1"]);
  });
});
