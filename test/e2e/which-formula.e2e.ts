// "Run formula" from the palette, in a window that has only just opened: the list is there before the pack is, and what is typed into it stays.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installToolkit } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

/** Loading it takes longer than typing a name. */
const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const formula = (name: string) => pack.addFormula({
  name, description: "Greets.", parameters: [], resultType: coda.ValueType.String, execute: async () => name + ", world.",
});
formula("Goodbye");
formula("Hello");
const loaded = Date.now() + 3_000;
while (Date.now() < loaded);
`;

describe("a formula that is chosen from the palette", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  before(async () => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-which-")));
    for (const name of ["first", "second"]) {
      mkdirSync(join(workspace, name));
      writeFileSync(join(workspace, name, "pack.ts"), PACK);
    }
    installToolkit(workspace);
    window = await openWindow({ folder: workspace, from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  it("is found by what was typed while the pack was being built, also where the pack is asked for first", async () => {
    const { workbench, page } = window;
    const box = page.locator(".quick-input-widget .quick-input-box input");
    const asks = (words: string) => page.locator(`.quick-input-widget input[placeholder="${words}"]`);
    const busy = page.locator(
      ".quick-input-widget .quick-input-progress .monaco-progress-container.active, .quick-input-widget .monaco-progress-container.active",
    );
    await workbench.command("Pack Auth: Run formula", asks("Which pack?"));
    await workbench.pick(/^second/);
    await busy.first().waitFor();
    await page.keyboard.type("Hel");
    await window.screenshot("which-formula-1-building");
    await workbench.row(/^Hello/).waitFor({ timeout: 60_000 });
    await window.screenshot("which-formula-2-found");
    assert.equal(await box.inputValue(), "Hel");
    assert.equal(await workbench.row(/^Goodbye/).count(), 0);
    await page.keyboard.press("Enter");
    await page
      .getByRole("tab", { name: /^Hello/ })
      .first()
      .waitFor({ timeout: 60_000 });
  });
});
