// A window without a folder: the way to the examples and to a pack of one's own.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installToolkit } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

describe("A window without a folder", function () {
  this.timeout(120_000);
  let window: Window;
  let folder: string;
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-no-folder-")));
    mkdirSync(join(folder, "own/.git"), { recursive: true });
    window = await openWindow({ from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /**
   * Answers the editor's own dialog for folders, in one that has the row. The dialog lists the home folder first, and writes that over
   * whatever was typed meanwhile: an author would see it, and type anew.
   */
  async function choose(path: string, row: RegExp, label: string): Promise<void> {
    const { page, workbench } = window;
    const dialog = page.locator(".quick-input-widget");
    const button = dialog.getByRole("button", { name: label });
    const input = dialog.locator(".quick-input-box input");
    await button.waitFor({ timeout: 30_000 });
    for (let attempt = 0; attempt < 300; attempt++) {
      if ((await input.inputValue()) !== `${path}/`) await input.fill(`${path}/`);
      else if (await workbench.row(row).isVisible()) break;
      await page.waitForTimeout(100);
    }
    await workbench.press(button);
  }

  /** Below the rows that are in view. */
  async function chooseNone(): Promise<void> {
    await window.page.locator('.quick-input-widget input[placeholder="How do its users sign in?"]').fill("None");
    await window.workbench.pick(/^Nothing: the API is public/);
    await window.workbench.pick(/^No\b/);
  }

  it("the examples open in a window of their own", async () => {
    const { workbench, page } = window;
    const untitled = page.locator(".tab.active", { hasText: "Untitled-1" });
    await workbench.command("File: New Untitled Text File", untitled);
    const dialog = page.locator(".quick-input-widget").getByRole("button", { name: "Copy them here" });
    await workbench.command("Pack Auth: Open the examples", dialog);
    await window.screenshot("no-folder-1-examples");
    const examples = await workbench.popup(() => choose(folder, /^own/, "Copy them here"));
    await examples.getByRole("treeitem", { name: "todo-oauth2" }).first().waitFor({ timeout: 60_000 });
    await examples.close();
    assert.ok(existsSync(join(folder, "pack-auth-examples/todo-oauth2/pack.ts")));
    assert.equal(await untitled.count(), 1);
  });

  it("a pack is created in the chosen folder, and reuses an SDK above it", async () => {
    const { workbench, page } = window;
    const own = join(folder, "own");
    const dialog = page.locator(".quick-input-widget").getByRole("button", { name: "Create it here" });
    await workbench.command("Pack Auth: Create a pack", dialog);
    await choose(own, /^\.git/, "Create it here");
    await chooseNone();
    await page.getByRole("treeitem", { name: "pack.ts" }).first().waitFor({ timeout: 60_000 });
    await window.screenshot("no-folder-2-created");
    assert.deepEqual(readdirSync(own).sort(), [".git", "pack.ts", "package.json", "tsconfig.json"]);

    installToolkit(own);
    await workbench.command("Pack Auth: Create a pack", page.locator(".quick-input-widget").getByText("Enter a name for the new folder"));
    await workbench.type("below");
    await chooseNone();
    await workbench.toast("uses the Packs SDK of a parent folder").waitFor({ timeout: 30_000 });
    const panel = await workbench.webview('[data-testid="run"]', 60_000);
    await panel.getByText("Hello, world!").first().waitFor({ timeout: 60_000 });
    await window.screenshot("no-folder-3-below");
    assert.deepEqual(readdirSync(join(own, "below")), ["pack.ts"]);
  });
});
