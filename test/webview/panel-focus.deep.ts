// Where the focus is when what had it is gone: a keyboard and a screen reader go on from there.
import assert from "node:assert/strict";
import { formula, parameter, report, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("The focus in the panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  const focused = (): Promise<string | undefined> => panel.page.evaluate(() => document.activeElement?.id);

  it("the focus returns to its field when an editor's box is closed", async () => {
    const { page, drawn } = panel;
    await panel.post(show(formula([parameter("city")])));
    await page.getByTestId("param-city").focus();
    // As the browser does where another frame takes the focus, and gives it back.
    const leave = (): Promise<void> => page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const come = (): Promise<boolean> => page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await leave();
    await come();
    await drawn();
    assert.equal(await focused(), "param-city");
    await leave();
    await come();
    await page.getByTestId("debug").focus();
    await drawn();
    assert.equal(await focused(), "debug", "what is clicked on keeps it");
    await leave();
    // As where the editor opens the file that was chosen in the box: the frame had the focus for a moment only.
    await page.evaluate(() => {
      document.hasFocus = () => false;
      window.dispatchEvent(new Event("focus"));
    });
    await drawn();
    assert.equal(await focused(), "", "it is not taken from the editor");
  });

  it("Add moves the focus to the first field of the new group", async () => {
    const { page, drawn } = panel;
    for (const hasAutocomplete of [false, true]) {
      await panel.post(show(formula([], { varargParameters: [parameter("key", { hasAutocomplete }), parameter("value")] })));
      for (const key of ["Enter", "Space"]) {
        const repetition = await page.locator("fieldset .field").count();
        await page.getByTestId("add").focus();
        await page.keyboard.press(key);
        await drawn();
        assert.equal(await focused(), `param-key#${repetition / 2}`);
      }
    }
    await page.keyboard.type("a");
    assert.equal(await page.getByTestId("param-key#3").inputValue(), "a");
  });

  it("the focus moves to the result when the pressed button disappears", async () => {
    const { page, drawn } = panel;
    const value = [{ name: "a" }, { name: "b" }];
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value, rows: 2 }) });
    await page.locator(".grid-body .grid-row").first().click();
    await page.getByRole("button", { name: "Close" }).press("Enter");
    await drawn();
    assert.equal(await focused(), "tabpanel");
    await panel.post({ type: "unavailable", error: { code: "bundle-failed", message: "It cannot be built." } });
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await panel.post(show(formula([])));
    assert.equal(await focused(), "tabpanel");
  });
});
