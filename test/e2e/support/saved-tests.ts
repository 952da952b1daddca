// Saved tests in the real VS Code.
import assert from "node:assert/strict";
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { callProgram } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";
import type { SharedWindow, Window } from "./embedded.ts";

const ACTION = `pack.addFormula({
  name: "Report", description: "", parameters: [], resultType: coda.ValueType.Number, isAction: true,
  execute: async (_, context) =>
    (await context.fetcher.fetch({ method: "POST", url: "https://api.weather.example/v1/reports", body: "{}" })).body.id,
});
`;

/** Copies an example and adds an action, and saves a run of its formula as a test with the command line. */
async function saveTest(folder: string): Promise<void> {
  cpSync(join(root, "examples/weather-bearer"), folder, { recursive: true });
  appendFileSync(join(folder, "pack.ts"), `\n${ACTION}`);
  const sandboxJson = readFileSync(join(folder, "sandbox.json"), "utf8");
  const reports = '{ "request": "POST https://api.weather.example/v1/reports", "body": { "id": 7 } },';
  writeFileSync(join(folder, "sandbox.json"), sandboxJson.replace('"answers": [', `"answers": [\n    ${reports}`));
  const env = { PACK_AUTH_HOME: folder };
  const { code, err } = await callProgram(["run", ".", "Temperature", "Lisbon", "--sandbox", "--save-test", "tests"], {
    cwd: folder,
    env,
  });
  assert.equal(code, 0, err);
}

/** A formula in the Test Explorer: what is done to it is done to its tests. */
const rowIn = (window: Window, state: RegExp): Locator =>
  window.page.locator(".test-explorer").getByRole("treeitem", { name: state, level: 1 });

/** Saved tests in the Test Explorer, with the editor's own diff where the pack asks for something else. */
export function savedTestsInExplorer(shared: () => SharedWindow): void {
  it("saved tests pass, fail with the change, and pass again after its repair", async () => {
    const { window, workspace } = shared();
    const { workbench, page } = window;
    const folder = join(workspace, "weather");
    const row = (state: RegExp): Locator => rowIn(window, state);
    await saveTest(folder);
    await workbench.open("weather/pack.ts");
    await workbench.command("View: Show Testing", page.locator(".test-explorer"));
    await row(/^Temperature \(/).waitFor({ timeout: 30_000 });
    await workbench.command("Test: Run All Tests", row(/^Temperature \(Passed\)/));
    await window.screenshot("saved-tests-1-passed");
    assert.equal(await page.locator(".test-explorer").getByRole("treeitem", { level: 1 }).count(), 1, "only what has a test");
    const text = readFileSync(join(folder, "pack.ts"), "utf8");
    writeFileSync(join(folder, "pack.ts"), text.replace("/v1/now", "/v2/now"));
    await workbench.command("Test: Run All Tests", row(/^Temperature \(Failed\)/));
    const failureText = page.getByText(/GET https:\/\/api\.weather\.example\/v2\/now\?city=Lisbon was not recorded/).first();
    await failureText.click({ timeout: 15_000 });
    await page.locator(".monaco-diff-editor .view-line", { hasText: "/v2/now?city=Lisbon" }).first().waitFor({ timeout: 15_000 });
    await window.screenshot("saved-tests-2-failed");
    writeFileSync(join(folder, "pack.ts"), text);
    await workbench.command("Test: Run All Tests", row(/^Temperature \(Passed\)/));
  });
}

/** What the panel makes of a run: a test, a schema, an answer of the sandbox. */
export function savedTests(shared: () => SharedWindow): void {
  let window: Window;
  let folder: string;
  before(() => {
    ({ window } = shared());
    folder = join(shared().workspace, "weather");
    return saveTest(folder);
  });

  it("a run is saved as a test from the panel", async () => {
    const { workbench, page } = window;
    await workbench.open("weather/pack.ts");
    const connect = await workbench.showLens("Connect test account");
    await workbench.until(workbench.row(/Connect with sandbox/), () => connect.click());
    await workbench.pick(/Connect with sandbox/);
    await workbench.toast(/Connected/).waitFor({ timeout: 30_000 });
    const run = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Temperature · / }), () => run.click());
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    await panel.getByTestId("result").waitFor({ timeout: 30_000 });
    await panel.locator("[data-testid^=param-]").first().fill("Porto");
    await workbench.until(workbench.toast(/Saved as weather\/tests/), () => panel.getByTestId("save-test").click());
    const savedTest = JSON.parse(readFileSync(join(folder, "tests/Temperature-2.packauth.json"), "utf8")) as { parameters: unknown };
    assert.deepEqual(savedTest.parameters, ["Porto"]);
    await window.screenshot("saved-tests-0-panel");
  });

  it("a response becomes a schema and a sandbox answer", async () => {
    const { workbench, page } = window;
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    await panel.getByTestId("tab-requests").click();
    const row = panel.getByTestId("request-row").first();
    await row.locator("summary").click();
    await workbench.until(workbench.row(/^celsius/), () => row.getByTestId("make-schema").click());
    await workbench.pick(/^None/);
    await workbench.pick(/^celsius/);
    await workbench.pick(/To the clipboard/);
    await page.getByText("Copied the schema to the clipboard.").waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      'coda.makeObjectSchema({\n  properties: {\n    celsius: { type: coda.ValueType.Number, required: true },\n  },\n  displayProperty: "celsius",\n})',
    );
    await row.getByTestId("use-answer").click();
    await page.getByRole("tab", { name: /sandbox\.json/ }).waitFor();
    await page.getByText("Change the body of the answer in sandbox.json").waitFor();
    await workbench.open("weather/pack.ts");
  });

  const row = (state: RegExp): Locator => rowIn(window, state);

  it("a test that fails is recorded again", async () => {
    const { workbench } = window;
    await workbench.command("View: Show Testing", row(/^Temperature \(/));
    const text = readFileSync(join(folder, "pack.ts"), "utf8");
    writeFileSync(join(folder, "pack.ts"), text.replace("/v1/now", "/v2/now"));
    await workbench.command("Test: Run All Tests", row(/^Temperature \(Failed\)/));
    // Recorded again, it asks for what the pack asks for now.
    writeFileSync(join(folder, "sandbox.json"), readFileSync(join(folder, "sandbox.json"), "utf8").replaceAll("/v1/now", "/v2/now"));
    const file = join(folder, "tests/Temperature.packauth.json");
    await workbench.menu(row(/^Temperature \(Failed\)/), "Execute Using Profile...", workbench.row(/Record again/));
    await workbench.pick(/Record again/);
    await row(/^Temperature \(Passed\)/).waitFor({ timeout: 15_000 });
    assert.match(readFileSync(file, "utf8"), /v2\/now/);
    await workbench.command("Test: Run All Tests", row(/^Temperature \(Passed\)/));
  });

  it("a response shows what the present schema loses, and repairs it", async () => {
    const { workbench, page } = window;
    const file = join(folder, "pack.ts");
    const text = readFileSync(file, "utf8");
    const properties = "properties: { Celsius: { type: coda.ValueType.Number } }";
    writeFileSync(file, text.replace("resultType:", `schema: coda.makeObjectSchema({ ${properties} }),\n  resultType:`));
    await page.locator(".view-line", { hasText: "Celsius: {" }).first().waitFor();
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    const request = panel.getByTestId("request-row").first();
    await workbench.until(workbench.row(/^Read Celsius from celsius/), () => request.getByTestId("make-schema").click());
    await window.screenshot("saved-tests-0-schema");
    await workbench.pick(/^Read Celsius from celsius/);
    await page.locator(".view-line", { hasText: 'fromKey: "celsius"' }).first().waitFor();
    await page.getByText("The schema is changed. Run again.").waitFor();
  });

  it("a test of the shown run is saved without another run", async () => {
    const { workbench, page } = window;
    await workbench.command("Pack Auth: Run formula", workbench.row(/^Report/));
    await workbench.pick(/^Report/);
    await page.getByRole("tab", { name: /^Report · / }).waitFor();
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]:has-text("Report")');
    await panel.getByTestId("run").click();
    await panel.getByTestId("result").waitFor({ timeout: 30_000 });
    await workbench.until(workbench.toast(/Saved as weather\/tests\/Report/), () => panel.getByTestId("save-test").click());
    await window.screenshot("saved-tests-0-action");
  });

  it("saved tests disappear with their folder", async () => {
    const { workbench, page } = window;
    await workbench.command("View: Show Testing", row(/^Temperature \(/));
    rmSync(join(folder, "tests"), { recursive: true });
    await page.locator(".test-explorer").getByRole("treeitem").first().waitFor({ state: "detached", timeout: 20_000 });
  });
}
