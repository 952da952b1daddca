// The journeys of the formula panel with tables: one that is stopped, a dynamic one, rows that are written back with what the pack offers for
// them, and what is new since the last time. They share the panel's window.
import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";

export interface PanelWindow {
  /** Opens the panel of a formula or table over all others; where nothing is missing in its form it begins to run. */
  begin(name: string): Promise<FrameLocator>;
  /** The same, once that run has ended. */
  open(name: string): Promise<FrameLocator>;
  screenshot(name: string): Promise<void>;
  press(key: string): Promise<void>;
}

export function tables({ begin, open, screenshot, press }: PanelWindow): void {
  it("a sync table can be stopped and keeps its rows so far", async () => {
    const panel = await begin("Numbers");
    await panel
      .getByTestId("status")
      .getByText(/[1-9]\d* rows/)
      .waitFor({ timeout: 30_000 });
    await panel.getByTestId("cancel").click();
    await panel
      .getByTestId("status")
      .getByText(/Cancelled · \d+ rows/)
      .waitFor({ timeout: 20_000 });
    const rows = Number(/(\d+) rows/.exec(await panel.getByTestId("status").innerText())?.[1]);
    assert.ok(rows > 0 && rows < 1_000, String(rows));
    await panel.getByTestId("result-table").getByText("0", { exact: true }).waitFor();
    await screenshot("panel-4-stopped");
  });

  it("a dynamic table lists its tables and syncs the picked one", async () => {
    const panel = await begin("Boards");
    await panel.getByTestId("dynamic-url").click();
    await panel.getByRole("option", { name: /Roadmap/ }).click({ timeout: 30_000 });
    await press("Control+Enter");
    await panel.getByTestId("result-table").getByText("Ship it").waitFor({ timeout: 30_000 });
    await screenshot("panel-6-dynamic");
  });

  it("a dynamic table offers the pack's options for a row, and writes the picked one", async () => {
    const panel = await open("Boards");
    await panel.getByTestId("result-table").getByText("Ship it").click();
    await panel.getByTestId("edit-row").click();
    await panel.getByTestId("show-options").click();
    await panel.getByTestId("option").getByText("Done", { exact: true }).click({ timeout: 30_000 });
    assert.equal(JSON.parse(await panel.getByTestId("row-text").inputValue()).Lane, "Done");
    await screenshot("panel-12-dynamic-options");
    await panel.getByTestId("send-row").click();
    await panel.getByText("This is what executeUpdate returned for the row.").waitFor({ timeout: 30_000 });
    await panel
      .getByTestId("result-table")
      .getByText(/"Lane":"Done"/)
      .waitFor();
    await panel.getByTestId("tab-requests").click();
    await panel.getByTestId("request-row").getByText("PUT", { exact: true }).waitFor();
  });

  it("an edited row is written back, with options narrowed by typing and lists edited", async () => {
    const panel = await open("Tasks");
    const rows = panel.getByTestId("result-table");
    await rows.getByText("Buy milk").click();
    await panel.getByTestId("edit-row").click();
    await panel.getByTestId("options-search").fill("m");
    await press("Enter");
    const options = panel.getByTestId("option");
    await options.getByText("small", { exact: true }).waitFor({ timeout: 30_000 });
    assert.deepEqual(await options.allInnerTexts(), ["small", "medium"]);
    await options.getByText("medium", { exact: true }).click();
    await panel.getByTestId("options-of").selectOption("Tags");
    await panel.getByTestId("show-options").click();
    await options.getByText("home", { exact: true }).click({ timeout: 30_000 });
    await options.getByText("work", { exact: true }).click();
    const text = panel.getByTestId("row-text");
    const { Size, Tags } = JSON.parse(await text.inputValue());
    assert.deepEqual({ Size, Tags }, { Size: "medium", Tags: ["home"] });
    await text.fill((await text.inputValue()).replace("Buy milk", "Buy bread"));
    await screenshot("panel-13-options");
    await panel.getByTestId("send-row").click();
    await rows.getByText(/Buy bread, written/).waitFor({ timeout: 30_000 });
    await panel.getByTestId("tab-console").click();
    await panel.getByText(/changed \[(?=.*Title)(?=.*Size)(?=.*Tags)/i).waitFor();
    await panel.getByTestId("tab-result").click();
  });

  it("new rows are read since the last completion, and all rows by Run", async () => {
    const panel = await open("News");
    const rows = panel.getByTestId("result-table");
    await rows.getByText("all of before").waitFor({ timeout: 30_000 });
    await screenshot("panel-14-completion");
    for (const day of [1, 2]) {
      await panel.getByTestId("read-new").click();
      await rows.getByText(`new on day ${day}`).waitFor({ timeout: 30_000 });
      await panel.getByText("These rows are new since the completion of the previous run.").waitFor();
      await panel.getByText("1 row reported as deleted.").waitFor();
    }
    await screenshot("panel-15-new");
    await panel.getByTestId("run").click();
    await rows.getByText("all of before").waitFor({ timeout: 30_000 });
    await panel.getByText("These rows are new since the completion").waitFor({ state: "detached" });
  });
}
