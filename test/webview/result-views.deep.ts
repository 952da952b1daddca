// What each view makes of a result: values as a document shows them, one object by name and value, JSON in colours; what is copied and
// saved of it; and an error as a banner.
import assert from "node:assert/strict";
import { formula, report, rows, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("The views of a result", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  async function showValue(value: unknown, properties: object = {}): Promise<void> {
    const schema = { type: "object", properties };
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value }, { schema }) });
  }
  const view = async (name: string): Promise<void> => {
    await panel.page.getByRole("tab", { name, exact: true }).click();
    await panel.drawn();
  };
  const result = () => panel.page.getByTestId("result-table");

  it("views are tabs that the arrow keys traverse", async () => {
    await showValue(rows(2));
    const { page } = panel;
    const views = page.getByRole("tablist", { name: "How to show the result" });
    assert.deepEqual(await views.getByRole("tab").allInnerTexts(), ["Table", "Preview", "Tree", "JSON"]);
    await views.getByRole("tab", { name: "Table" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("End");
    await page.getByTestId("result-json").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "JSON");
    assert.equal(await page.getByRole("tabpanel", { name: "JSON" }).count(), 1);
    // A key of the inner tabs is none of the outer ones.
    assert.equal(await page.getByTestId("tab-result").getAttribute("aria-selected"), "true");
  });

  it("views copy and save what they show", async () => {
    await showValue([{ a: 1, b: "x" }]);
    const { page } = panel;
    const copyAndSave = async (): Promise<readonly string[]> => {
      await page.getByRole("button", { name: /^Copy/ }).click();
      await page.getByTestId("save").click();
      const { text } = await panel.message("copy");
      const saveMessage = await panel.message("save");
      return [text, saveMessage.name, saveMessage.text];
    };
    assert.deepEqual(await copyAndSave(), ["a\tb\n1\tx", "GetTask.csv", "a,b\r\n1,x"]);
    await view("Tree");
    const json = JSON.stringify([{ a: 1, b: "x" }], null, 2);
    assert.deepEqual(await copyAndSave(), [json, "GetTask.json", json]);
    await view("Preview");
    await showValue({ a: 1, b: "x" });
    assert.deepEqual(await copyAndSave(), ["Name\tValue\na\t1\nb\tx", "GetTask.csv", "Name,Value\r\na,1\r\nb,x"]);
    await showValue("a text");
    assert.deepEqual(await copyAndSave(), ["a text", "GetTask.txt", "a text"]);
  });

  it("numbers of a table are right-aligned, texts left-aligned", async () => {
    await showValue([{ count: 7, name: "x" }]);
    const alignments = await result()
      .getByRole("gridcell")
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
    assert.deepEqual(alignments, ["right", "start"]);
  });

  it("one object is shown whole by name and value", async () => {
    const long = "a long text ".repeat(40).trim();
    await panel.page.setViewportSize({ width: 400, height: 800 });
    await showValue({ title: long, owner: { name: "alice" } }, { title: { type: "string" } });
    assert.equal(await result().getByRole("rowheader").first().innerText(), "title");
    assert.equal(await result().getByRole("cell").first().innerText(), long);
    const cell = await result().getByRole("cell").first().boundingBox();
    assert.ok(cell !== null && cell.x + cell.width <= 400 && cell.height > 100, "it is wrapped, and not cut");
    await view("Preview");
    await result().getByText("{1}").click();
    await result().getByText('"alice"').waitFor();
  });

  it("booleans are boxes in the preview, ticked or not", async () => {
    await showValue([{ done: true }, { done: false }]);
    await view("Preview");
    assert.deepEqual(await result().getByRole("img").allInnerTexts(), ["☑", "☐"]);
    assert.equal(await result().getByRole("img", { name: "no" }).innerText(), "☐");
  });

  it("Markdown is shown as text with emphasis only", async () => {
    const text = [
      "# A *heading*",
      "Some **bold _and italic_** text, `code **x**`, ~~gone~~, snake_case_name, 2 * 3 * 4",
      "- [docs](https://docs.example/a) and [trap](javascript:alert(1)) and <b>tag</b> ![x](https://img.example/i.png)",
    ].join("\n");
    const { page } = panel;
    const requestedUrls: string[] = [];
    page.on("request", (request) => requestedUrls.push(request.url()));
    await showValue({ note: text }, { note: { type: "string", codaType: "markdown" } });
    await view("Preview");
    const texts = (selector: string) => result().locator(selector).allInnerTexts();
    assert.deepEqual(await texts("strong"), ["A heading", "bold and italic"]);
    assert.deepEqual(await texts("em"), ["heading", "and italic"]);
    assert.deepEqual([await texts("code"), await texts("s")], [["code **x**"], ["gone"]]);
    const resultText = await result().innerText();
    for (const excerpt of ["snake_case_name, 2 * 3 * 4", "• docs (https://docs.example/a)", "[trap](javascript:alert(1))", "<b>tag</b>"])
      assert.ok(resultText.includes(excerpt), `${excerpt} in ${resultText}`);
    assert.deepEqual(await texts("a"), ["https://docs.example/a", "https://img.example/i.png"]);
    assert.equal(await result().locator("b, img").count(), 0);
    assert.deepEqual(requestedUrls, []);
    await showValue([{ note: "one\n\n**two**" }], { note: { type: "string", codaType: "markdown" } });
    assert.equal(await result().getByRole("gridcell").innerText(), "one two");
  });

  it("hostile Markdown is rendered in time", async () => {
    const hostile = ["**a *b ", "_a__b", "[a](x", "`", "[[", "~~a~", "***"].map((part) => part.repeat(20_000)).join("\n");
    await showValue({ note: hostile }, { note: { type: "string", codaType: "markdown" } });
    await view("Preview");
    await view("JSON");
    await panel.page.getByTestId("result-json").waitFor();
  });

  it("a link shows its target despite bidirectional control characters", async () => {
    await showValue({ note: "\u202e[pay](https://evil.example/)" }, { note: { type: "string", codaType: "markdown" } });
    await view("Preview");
    const edges = await result()
      .locator("a")
      .evaluate((link) => {
        const text = [...link.childNodes].find((node) => node.nodeValue === "https://evil.example/") as Text;
        return [0, text.length - 1].map((at) => {
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect().left;
        });
      });
    assert.ok((edges[0] as number) < (edges[1] as number), `read from the right: ${edges}`);
  });

  it("JSON and trees have the debugger's colours", async () => {
    await showValue({ name: 'a "quoted" text: 1', count: -1.5e3, done: true, none: null });
    await view("JSON");
    const json = panel.page.getByTestId("result-json");
    const colour = (selector: string) =>
      json
        .locator(selector)
        .first()
        .evaluate((each) => getComputedStyle(each).color);
    const plain = await json.evaluate((each) => getComputedStyle(each).color);
    const colours = [await colour(".key"), await colour(".string"), await colour(".number"), await colour(".boolean")];
    assert.equal(new Set([plain, ...colours]).size, 5);
    assert.deepEqual(await json.locator(".key").allInnerTexts(), ['"name"', '"count"', '"done"', '"none"']);
    assert.deepEqual(await json.locator(".string, .number, .boolean, .null").allInnerTexts(), [
      '"a \\"quoted\\" text: 1"',
      "-1500",
      "true",
      "null",
    ]);
    await view("Tree");
    const tree = panel.page.getByTestId("result-tree");
    assert.equal(await tree.locator(".string").evaluate((each) => getComputedStyle(each).color), colours[1]);
  });

  it("a failed run shows a banner that says each thing once", async () => {
    const postFailure = (code: string) =>
      panel.post({
        type: "finished",
        report: report({ status: "failed", error: { code, message: "No such task.", hint: "Try another." } }),
      });
    await panel.post(show(formula([])));
    const banner = panel.page.getByRole("alert");
    for (const [code, expected] of [
      ["unknown-formula", "No such task."],
      ["Error", "No such task."],
      ["TypeError", "TypeError: No such task."],
    ] as const) {
      await postFailure(code);
      assert.equal(await banner.locator("p").first().innerText(), expected);
    }
    const [padding, border] = await banner.evaluate((each) => [getComputedStyle(each).paddingLeft, getComputedStyle(each).borderTopWidth]);
    assert.ok(Number.parseFloat(padding ?? "") >= 8 && border === "1px", `${padding} ${border}`);
  });

  it("Cancel is present only during a run, without moving other buttons", async () => {
    const { page } = panel;
    await panel.post(show(formula([])));
    const place = () => page.getByTestId("run").boundingBox();
    const before = await place();
    assert.equal(await page.getByRole("button", { name: "Cancel" }).count(), 0);
    await panel.post({ type: "started" });
    assert.deepEqual(await place(), before);
    await page.getByTestId("cancel").focus();
    await page.keyboard.press("Enter");
    await panel.message("cancel");
    await panel.post({ type: "finished", report: report({ status: "cancelled" }) });
    assert.equal(await page.getByTestId("cancel").isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "tabpanel");
  });
});
