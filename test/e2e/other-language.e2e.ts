// A first hour in a language that nobody speaks: what is still in English there was not wrapped. The panel's own test has its states.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { root } from "../support/packs.ts";
import { PSEUDO_LANGUAGE, pseudo, translateExtension } from "../support/pseudo-language.ts";
import { openWindow, type Window } from "./support/embedded.ts";

/** Names in the pack and its provider, types and fields of the specification, and what the editor itself says. */
const DATA =
  /https?:\/\/\S+|todo-oauth2|\w[\w.-]*\.(?:example|localhost|ts|json)\S*|GetTask|FindTasks|CountWords|\b(?:Pack Auth|Packs SDK|OAuth2|PKCE|todo-oauth2|todo|Tasks|GET|POST|JSON|Sandbox|sandbox user|alice|ctrl|Enter|ms|kB|URL|API|tasks:read|tasks:write|Authorization|Bearer|Buy milk|taskId)\b/gi;
const inEnglish = (texts: readonly string[]): readonly string[] => texts.filter((text) => /[a-z]{3}/i.test(text.replace(DATA, "")));

describe("Pack Auth in another language", function () {
  this.timeout(180_000);
  let window: Window;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-language-"));
    const workspace = join(folder, "workspace");
    const extension = join(folder, "extension");
    translateExtension(extension);
    cpSync(join(root, "examples/todo-oauth2"), join(workspace, "todo-oauth2"), { recursive: true });
    const pack = join(workspace, "todo-oauth2/pack.ts");
    writeFileSync(pack, readFileSync(pack, "utf8").replace("tokenUrl:", "tokenURL:"));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    window = await openWindow({ folder: workspace, from: "source", extension, language: PSEUDO_LANGUAGE });
  });
  after(async () => {
    await window?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Fails with what is in English among the texts of what is shown. */
  async function isTranslated(locator: Locator): Promise<void> {
    await locator.first().waitFor();
    const texts = (await locator.allInnerTexts()).flatMap((text) => text.split("\n")).map((text) => text.trim());
    assert.ok(texts.some((text) => text !== ""));
    // What stands in the pack is its author's.
    const source = readFileSync(join(root, "examples/todo-oauth2/pack.ts"), "utf8");
    assert.deepEqual(
      inEnglish(texts).filter((text) => !source.includes(text)),
      [],
    );
  }
  const quickInput = (): Locator => window.page.locator(".quick-input-widget");

  it("shows lenses, commands and a mistake with its fix in it", async () => {
    const { workbench, page } = window;
    await workbench.open("todo-oauth2/pack.ts");
    await workbench.showLens(pseudo("Connect test account"));
    await isTranslated(page.locator(".monaco-editor .codelens-decoration a"));
    await page.keyboard.press("F1");
    await page.keyboard.type("Pack Auth:");
    await workbench.row(/Pack Auth/).waitFor();
    // Below each command the editor itself writes it in English.
    await isTranslated(quickInput().locator(".quick-input-list-row:first-child .label-name", { hasNotText: "Focus on" }));
    await page.keyboard.press("Escape");
    await workbench.squiggle().waitFor({ timeout: 60_000 });
    await page.getByText("tokenURL", { exact: false }).first().click();
    await page.locator(".lightBulbWidget").first().waitFor({ timeout: 30_000 });
    const fix = page.locator(".action-widget").getByText(pseudo("Rename to"));
    await workbench.until(fix, () => page.keyboard.press("Control+."));
    await window.screenshot("language-fix");
    await workbench.press(fix);
    await page.locator(".monaco-editor .squiggly-error").first().waitFor({ state: "detached", timeout: 20_000 });
    await page.keyboard.press("Control+s");
  });

  it("signs in with the sandbox in it, step by step", async () => {
    const { workbench } = window;
    const lens = await workbench.showLens(pseudo("Connect test account"));
    const sandbox = new RegExp(pseudo("Connect with sandbox"));
    await workbench.until(workbench.row(sandbox), () => lens.click());
    await isTranslated(quickInput().locator(".quick-input-list-row > *, .quick-input-title"));
    const popup = await workbench.popup(() => workbench.pick(sandbox));
    // The sandbox's own pages are a provider's.
    await popup.getByRole("button", { name: "Approve" }).click();
    await popup.getByText(pseudo("You are signed in")).waitFor();
    await popup.close();
    const toast = workbench.toast(new RegExp(pseudo("Connected")));
    await toast.waitFor({ timeout: 30_000 });
    await isTranslated(toast.locator(".notification-list-item-message, .monaco-button"));
    await window.screenshot("language-connected");
  });

  it("shows the account and runs a formula in it", async () => {
    const { workbench, page } = window;
    await workbench.command(`Pack Auth: Focus on ${pseudo("Accounts")} View`, workbench.tree(/alice@todo/));
    await isTranslated(page.locator(".tree-explorer-viewlet-tree-view .monaco-list-row"));
    await page.locator(".monaco-editor").first().click();
    await workbench.command(`Pack Auth: ${pseudo("Run formula")}`, workbench.row(/^GetTask/));
    await isTranslated(quickInput().locator(".quick-input-list-row > *"));
    await workbench.pick(/^GetTask/);
    const panel = await workbench.webview('[data-testid="run"]');
    await panel.getByTestId("result-table").getByText("Buy milk").waitFor({ timeout: 30_000 });
    await window.screenshot("language-result");
    for (const tab of ["tab-requests", "tab-afterUpload", "tab-history"]) {
      await panel.getByTestId(tab).click();
      await isTranslated(panel.locator("body"));
    }
  });

  it("asks in it before an account is removed, and does what its button says", async () => {
    const { workbench, page } = window;
    const account = workbench.tree(/alice@todo/);
    await workbench.command(`Pack Auth: Focus on ${pseudo("Accounts")} View`, account);
    const dialog = page.locator(".monaco-dialog-box");
    const remove = dialog.getByRole("button", { name: pseudo("Remove") });
    await workbench.menu(account, pseudo("Remove account"), remove);
    await isTranslated(dialog.locator(".dialog-message-container"));
    await workbench.press(remove);
    await account.waitFor({ state: "detached", timeout: 30_000 });
  });
});
