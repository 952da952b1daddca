// The formula panel in the real VS Code: each view of a result, a table stopped half-way, suggestions, an endless loop, the keyboard
// alone, and every kind of theme. In the same window, the sandbox (support/sandbox.ts).
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { root } from "../support/packs.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";
import { LAB_STUBS, PACK } from "./support/lab-pack.ts";
import { sandbox } from "./support/sandbox.ts";
import { tables } from "./support/tables.ts";

const CANARY = "canary-7f3a-of-the-panel";

describe("The formula panel in VS Code", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  const settings = (values: object): void =>
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify({ ...SYNTAX_ONLY, ...values }));
  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-panel-"));
    mkdirSync(join(workspace, "lab"));
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(join(workspace, "lab/pack.ts"), PACK);
    writeFileSync(join(workspace, "lab/sandbox.json"), JSON.stringify(LAB_STUBS));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    settings({ "workbench.colorTheme": "Default Dark Modern" });
    window = await openWindow({ folder: workspace, from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
  });

  const inSandboxView = (name: RegExp): Locator => window.page.getByRole("tree", { name: /Sandbox/ }).getByRole("treeitem", { name });
  const panelOf = (name: string): string => `main:has(h1:text-is("lab ▸ ${name}")) [data-testid="run"]`;
  const runsOf = async (panel: FrameLocator): Promise<number> =>
    Number((await panel.getByTestId("tab-history").locator(".count").allInnerTexts())[0] ?? 0);
  /** Opens a formula's panel over all others; where nothing is missing in its form it begins to run. */
  async function begin(name: string): Promise<FrameLocator> {
    const { workbench } = window;
    const formula = new RegExp(`^${name}`);
    await workbench.command("Pack Auth: Run formula", workbench.row(formula));
    await workbench.pick(formula);
    return workbench.webview(panelOf(name));
  }
  /**
   * As `begin`, where nothing is missing in the form, once that run has ended: what is pressed meanwhile begins no other one, and what is
   * opened of the result goes with it. A panel that is there already still shows its last run.
   */
  async function open(name: string): Promise<FrameLocator> {
    const there = await window.workbench.webview(panelOf(name), 0).catch(() => undefined);
    const before = there === undefined ? undefined : await runsOf(there);
    const panel = await begin(name);
    if (before !== undefined)
      await panel
        .getByTestId("tab-history")
        .locator(".count", { hasText: new RegExp(`^${before + 1}$`) })
        .waitFor({ timeout: 30_000 });
    await panel
      .getByTestId("status")
      .filter({ hasText: /^(?:OK|Failed)/ })
      .waitFor({ timeout: 30_000 });
    return panel;
  }

  it("the sandbox account can be connected by keyboard alone", async () => {
    const { workbench, page } = window;
    await workbench.open("lab/pack.ts");
    await workbench.showLens("Connect test account");
    await workbench.command("Pack Auth: Connect test account", workbench.row(/Connect with sandbox/));
    await workbench.type("sandbox");
    await workbench.toast(/Connected .* to lab/).waitFor({ timeout: 30_000 });
    await page.keyboard.press("Escape");
    await workbench.clearNotifications();
  });

  it("typing shows suggestions, Ctrl+Enter runs, and every view shows the result", async () => {
    const { page } = window;
    const panel = await begin("Cities");
    await panel.getByTestId("param-country").click();
    await page.keyboard.type("po");
    await panel.getByRole("option", { name: "Poland" }).waitFor({ timeout: 20_000 });
    await window.screenshot("panel-1-suggestions");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await panel.getByTestId("param-country").inputValue(), "Portugal");
    await page.keyboard.press("Control+Enter");
    await panel.getByTestId("result-table").getByText("Lisbon", { exact: true }).waitFor({ timeout: 30_000 });
    await window.screenshot("panel-2-dark");
    await panel.getByTestId("view-preview").click();
    await panel.getByText("5%").waitFor();
    await panel.getByTestId("view-tree").click();
    await panel.getByTestId("result-tree").getByText("[2]").waitFor();
    await panel.getByTestId("view-json").click();
    await panel.getByTestId("result-json").getByText('"Lisbon"').waitFor();
    // Tabs by the arrow keys.
    await panel.getByTestId("tab-result").focus();
    await page.keyboard.press("ArrowRight");
    await panel.getByTestId("request-row").first().waitFor();
    await page.keyboard.press("ArrowRight");
    await panel.getByText("asked for Portugal").waitFor();
    await panel.getByTestId("tab-result").click();
    await panel.getByTestId("view-table").click();
  });

  it("light and high-contrast themes apply to the panel", async () => {
    for (const [theme, name] of [
      ["Default Light Modern", "light"],
      ["Default High Contrast", "high-contrast"],
    ] as const) {
      settings({ "workbench.colorTheme": theme });
      const kind = name === "light" ? "vscode-light" : "vscode-high-contrast";
      const panel = await window.workbench.webview(`body.${kind} [data-testid="result-table"]`);
      await panel.getByTestId("result-table").getByText("Lisbon", { exact: true }).waitFor();
      await window.screenshot(`panel-3-${name}`);
    }
  });

  it("a run from the history runs again, and its result opens as a document", async () => {
    const { page } = window;
    const panel = await open("Cities");
    await panel.getByTestId("tab-history").click();
    await panel.getByTestId("run-again").first().click();
    await panel.getByTestId("result-table").getByText("Lisbon", { exact: true }).waitFor({ timeout: 30_000 });
    await panel.getByTestId("open-result").click();
    await page.getByRole("tab", { name: /Cities\.json/ }).waitFor({ timeout: 10_000 });
  });

  it("Cancel stops an endless loop, and the next run works", async () => {
    const panel = await begin("Spin");
    await panel.getByTestId("status").getByText("Running").waitFor();
    await panel.getByTestId("cancel").click();
    await panel.getByTestId("status").getByText("Cancelled").waitFor({ timeout: 20_000 });
    const cities = await open("Cities");
    assert.match(await cities.getByTestId("status").innerText(), /^OK/);
  });

  tables({ begin, open, screenshot: (name) => window.screenshot(name), press: (key) => window.page.keyboard.press(key) });

  it("runs can be named, pinned and compared in the editor's diff", async () => {
    const { workbench, page } = window;
    const panel = await open("Cities");
    await panel.getByTestId("param-country").fill("Poland");
    await panel.getByTestId("run").click();
    await panel.getByTestId("status").getByText("OK").waitFor({ timeout: 30_000 });
    await panel.getByTestId("tab-history").click();
    const [newest, older] = [panel.getByTestId("history-row").nth(0), panel.getByTestId("history-row").nth(1)];
    await newest.getByText("country: Poland").waitFor();
    await older.getByRole("button", { name: "Name" }).click();
    await workbench.type("The good one");
    await panel.getByRole("button", { name: "The good one" }).waitFor();
    await older.getByRole("button", { name: "Pin", exact: true }).click();
    await panel.getByTestId("history-row").nth(0).getByText("The good one").waitFor();
    for (const row of [0, 1]) await panel.getByTestId("history-row").nth(row).getByRole("checkbox").check();
    await window.screenshot("panel-7-history");
    await panel.getByTestId("compare").click();
    await page.getByRole("tab", { name: /Cities: .* ↔ / }).waitFor({ timeout: 10_000 });
    await window.screenshot("panel-8-compare");
  });

  it("requests can be copied as cURL, and requests and rows saved, all masked", async () => {
    const { workbench, page } = window;
    const panel = await open("Cities");
    await panel.getByTestId("tab-requests").click();
    await panel.getByTestId("request-row").first().locator("summary").click();
    await panel.getByTestId("copy-curl").first().click();
    await page.getByText("Copied the command to the clipboard.").waitFor();
    assert.match(
      await page.evaluate(() => navigator.clipboard.readText()),
      /^curl[\s\S]*'https:\/\/api\.lab\.example\/cities'[\s\S]*Bearer ••••/i,
    );
    const saveFile = async (button: string, name: string): Promise<string> => {
      const path = join(workspace, name);
      await panel.getByTestId(button).click();
      // The dialog writes its own proposal once it has listed the folder, over whatever was typed before.
      await page.locator(".quick-input-widget").getByRole("option").first().waitFor();
      await workbench.type(path);
      // The editor makes it first, and writes into it then.
      for (let attempt = 0; attempt < 100 && !statSync(path, { throwIfNoEntry: false })?.size; attempt++) await page.waitForTimeout(100);
      // The next one's box is not this one.
      await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
      return readFileSync(path, "utf8");
    };
    const har = await saveFile("save-har", "requests.har");
    assert.equal(JSON.parse(har).log.entries.length, 1);
    assert.match(har, /Bearer ••••/);
    await panel.getByTestId("tab-result").click();
    await panel.getByTestId("view-table").click();
    assert.match(await saveFile("save", "cities.csv"), /^Name,Page,Share\r\nLisbon,/);
    await panel.getByTestId("view-json").click();
    assert.equal(JSON.parse(await saveFile("save", "cities.json")).length, 2);
    await panel.getByTestId("view-table").click();
  });

  // A window that starts anew has longer for each of its steps than the others.
  it("the panel survives hiding and a reload, and reconnects its sandbox account", async () => {
    const { workbench, page } = window;
    const firstPanel = await open("Cities");
    await firstPanel.getByTestId("tab-result").click();
    await firstPanel.getByTestId("view-tree").click();
    await open("Tasks");
    const secondPanel = await open("Cities");
    await secondPanel.getByTestId("result-tree").waitFor();
    // What the editor wrote down before this step also speaks of this formula: a country that was never typed before tells the two apart.
    await secondPanel.getByTestId("param-country").fill("Poland 4321");
    const api = inSandboxView(/^API/);
    await workbench.command("Pack Auth: Focus on Sandbox View", api);
    await workbench.until(workbench.row(/refuses: 429/), () => api.click());
    await workbench.pick(/refuses: 429/);
    await inSandboxView(/^API: refuses: 429/).waitFor({ timeout: 20_000 });
    const isStored = async (): Promise<boolean> => {
      const storedState = await window.stored();
      const editors = storedState.split("\n").filter((line) => line.startsWith("memento/workbench.parts.editor="));
      return (
        /api[\\"]+:[\\"]+429/.test(storedState) && editors.some((line) => line.includes("Cities · lab") && line.includes("Poland 4321"))
      );
    };
    let stored = false;
    for (let attempt = 0; attempt < 120 && !stored; attempt++) stored = await isStored();
    assert.ok(stored, "the editor did not write down what the panel and the view show");
    await page.reload();
    await workbench.ready();
    // The extension starts anew; which tab was in front is written down now and then.
    await page.getByRole("tab", { name: /^Cities · lab/ }).click();
    const panel = await workbench.webview('main:has(h1:text-is("lab ▸ Cities"))', 60_000);
    await panel.getByTestId("run").waitFor({ timeout: 60_000 });
    assert.equal(await panel.getByTestId("param-country").inputValue(), "Poland 4321");
    await panel.getByTestId("result-table").getByText("Lisbon", { exact: true }).waitFor({ timeout: 30_000 });
    await panel
      .getByTestId("status")
      .getByText(/Run of .* OK/)
      .waitFor();
    // The sandbox ended with the window, and its accounts with it.
    await panel.getByTestId("sign-in-again").click({ timeout: 30_000 });
    await panel.getByTestId("sign-in-again").waitFor({ state: "detached", timeout: 30_000 });
    await window.screenshot("panel-9-reloaded");
  }).timeout(240_000);

  it("the sandbox view and its switches survive a reload, and a click resets a switch", async () => {
    const { workbench } = window;
    await inSandboxView(/^API: refuses: 429/).waitFor({ timeout: 60_000 });
    const panel = await workbench.webview(panelOf("Cities"));
    await panel.getByTestId("run").click();
    const error = panel.getByTestId("error");
    await error.getByText(/429/).first().waitFor({ timeout: 30_000 });
    await window.screenshot("sandbox-10-refused");
    await workbench.until(inSandboxView(/^API: works/), () => error.getByRole("button", { name: "Reset the switch" }).click());
    await panel.getByTestId("run").click();
    await panel.getByTestId("status").getByText(/^OK/).waitFor({ timeout: 30_000 });
  });

  it("a removed account is not replaced by another one, and the history contains no secret", async () => {
    const { workbench, page } = window;
    await workbench.clearNotifications();
    await workbench.open("lab/pack.ts");
    await workbench.command("Pack Auth: Connect test account", workbench.row(/Connect a real account/));
    await workbench.pick(/Connect a real account/);
    await workbench.type(CANARY);
    await workbench.toast(/Saved, not checked: .* lab/).waitFor({ timeout: 30_000 });
    await workbench.clearNotifications();
    const panel = await open("Cities");
    const account = panel.getByTestId("account");
    const real = account.locator("option", { hasNotText: /sandbox/ });
    await account.selectOption(await real.first().getAttribute("value"));
    // A credential in a field, on top of the one in the request: there is no such host, and the run fails.
    await panel.getByTestId("param-country").fill(CANARY);
    await panel.getByTestId("run").click();
    await panel.getByTestId("error").waitFor({ timeout: 30_000 });
    await panel.getByTestId("tab-history").click();
    await panel.getByTestId("history-row").getByText("country: ••••").waitFor();
    await panel.getByText("Enter this value again: it was the account's credential").waitFor();
    // The editor writes its state down now and then: the form's too, which held it until the run.
    const masked = /packAuth\.history[\s\S]*••••/;
    let storedState = await window.stored();
    for (let attempt = 0; attempt < 300 && (storedState.includes(CANARY) || !masked.test(storedState)); attempt++) {
      await page.waitForTimeout(200);
      storedState = await window.stored();
    }
    assert.match(storedState, masked);
    assert.ok(!storedState.includes(CANARY), "the canary is stored");
    const item = page
      .getByRole("treeitem", { name: /HeaderBearerToken/ })
      .filter({ hasNotText: /sandbox/ })
      .first();
    await workbench.command("Pack Auth: Focus on Accounts View", item);
    const remove = page.locator(".monaco-dialog-box").getByRole("button", { name: "Remove" });
    await workbench.menu(item, "Remove account", remove);
    await workbench.press(remove);
    await panel.getByText(/^Choose an account\. .* does not exist any more\.$/).waitFor({ timeout: 20_000 });
    await panel.getByTestId("run").click();
    assert.equal(await account.locator("option:checked").innerText(), "Choose an account");
    await window.screenshot("panel-10-account-removed");
  });

  describe("The sandbox", () => sandbox(() => ({ window, workspace })));
});
