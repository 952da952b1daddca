// "Run formula" from the palette, of packs that were never built: the list is there before the pack is, and what is typed into it stays. It
// shares the window of the toolkit's journeys.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installToolkit } from "../../support/packs.ts";
import type { Window } from "./embedded.ts";

/** Loading it takes longer than typing a name. */
const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const formula = (name: string) => pack.addFormula({
  name, description: "Greets.", parameters: [], resultType: coda.ValueType.String, execute: async () => name + ", world.",
});
formula("Goodbye");
formula("Hello");
const loaded = Date.now() + 4_000;
while (Date.now() < loaded);
`;

/** Two packs, with a toolkit of their own. */
export function writeSlowPacks(folder: string): void {
  for (const name of ["first", "second"]) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "pack.ts"), PACK);
  }
  installToolkit(folder);
}

/** `workspace`: the folder of the packs. */
export function whichFormula(window: () => Window, workspace: () => string): void {
  it("the formula is found by what was typed while the pack was being built", async () => {
    const { workbench, page } = window();
    // The pack of an open source would not be asked for.
    await workbench.closeEditors();
    const box = page.locator(".quick-input-widget .quick-input-box input");
    const asks = (placeholder: string) => page.locator(`.quick-input-widget input[placeholder="${placeholder}"]`);
    const busy = page.locator(
      ".quick-input-widget .quick-input-progress .monaco-progress-container.active, .quick-input-widget .monaco-progress-container.active",
    );
    await workbench.command("Pack Auth: Run formula", asks("Which pack?"));
    await workbench.pick(/^second/);
    await busy.first().waitFor();
    await page.keyboard.type("Hel");
    await window().screenshot("which-formula-1-building");
    await workbench.row(/^Hello/).waitFor({ timeout: 60_000 });
    await window().screenshot("which-formula-2-found");
    assert.equal(await box.inputValue(), "Hel");
    assert.equal(await workbench.row(/^Goodbye/).count(), 0);
    await page.keyboard.press("Enter");
    await page
      .getByRole("tab", { name: /^Hello/ })
      .first()
      .waitFor({ timeout: 60_000 });
  });

  it("the formulas offered are those of the front panel's pack", async () => {
    const { workbench, page } = window();
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]:has-text("Hello, world.")', 60_000);
    await workbench.command("Pack Auth: Run formula", workbench.row(/^Goodbye/));
    assert.equal(await page.locator('.quick-input-widget input[placeholder="Which pack?"]').count(), 0);
    await page.keyboard.press("Escape");
    await panel.getByText("Hello, world.").first().waitFor();
  });

  it("a removed formula is marked as gone over its last result", async () => {
    const { workbench, page } = window();
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]:has-text("Hello, world.")');
    const goneMessage = panel.getByTestId("broken").getByText("The pack has no formula Hello any more.");
    const source = join(workspace(), "second", "pack.ts");
    writeFileSync(source, readFileSync(source, "utf8").replace('formula("Hello")', 'formula("Hi")'));
    await goneMessage.waitFor({ timeout: 60_000 });
    await panel.getByTestId("run").click();
    // The run is over by then: the pack is built.
    await page.waitForTimeout(2_000);
    await window().screenshot("which-formula-3-gone");
    assert.equal(await goneMessage.count(), 1);
    await panel.getByText("Hello, world.").first().waitFor();
    await panel.getByTestId("save-test").click();
    await workbench.toast(/The pack has no formula Hello any more/).waitFor();
  });
}
