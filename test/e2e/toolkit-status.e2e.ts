// The language status item in the real VS Code: the toolkit that decides in the pack being edited, or the command that installs it.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installToolkit } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;

describe("the language status of a pack", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-status-"));
    for (const name of ["with", "without"]) {
      mkdirSync(join(workspace, name));
      writeFileSync(join(workspace, name, `${name}-toolkit.ts`), PACK);
    }
    installToolkit(join(workspace, "with"));
    writeFileSync(join(workspace, "readme.ts"), "export const nothing = 1;\n");
    window = await openWindow({ folder: workspace, from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  it("says the version, or that there is none with the command to copy, and nothing of other files", async () => {
    const { workbench, page } = window;
    const status = page.locator("#status\\.languageStatus");
    const entry = page.locator(".hover-language-status");
    const shows = async (file: string, text: string): Promise<void> => {
      await workbench.open(file);
      for (let attempt = 0; ; attempt++) {
        await page.mouse.move(300, 300);
        await status.first().hover({ timeout: 20_000 });
        try {
          await entry.getByText(text).first().waitFor({ timeout: 3_000 });
          return;
        } catch (error) {
          if (attempt >= 10) throw error;
        }
      }
    };
    await shows("with-toolkit.ts", "toolkit 1.");
    await shows("without-toolkit.ts", "no toolkit: built-in model");
    await window.screenshot("toolkit-status");
    const copied = workbench.toast("Copied: npm install --save-dev @codahq/packs-sdk");
    // A busy editor closes the hover now and then between the press of the button and its release.
    for (let attempt = 0; attempt < 3 && !(await copied.count()); attempt++) {
      await shows("without-toolkit.ts", "no toolkit: built-in model");
      await entry.getByText("Copy install command").first().click();
      await copied.waitFor({ timeout: 20_000 }).catch(() => {});
    }
    assert.equal(await copied.count(), 1);
    await workbench.open("readme.ts");
    const shown = entry.getByText("built-in model");
    // What was shown for the file before goes in a moment.
    for (let attempt = 0; attempt < 10; attempt++) {
      await page.mouse.move(300, 300);
      await page.waitForTimeout(1_000);
      if (await status.count())
        await status
          .first()
          .hover({ timeout: 5_000 })
          .catch(() => {});
      if ((await shown.count()) === 0) break;
    }
    assert.equal(await shown.count(), 0);
  });
});
