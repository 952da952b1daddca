// The tests inside the extension host, here in the embedded VS Code. `npm run test:electron` runs the same on a desktop.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeHostFolder } from "../../scripts/host-folder.ts";
import { root } from "../support/packs.ts";
import { authorSettings } from "./support/author-settings.ts";
import { openWindow } from "./support/embedded.ts";

describe("The extension host", function () {
  this.timeout(240_000);

  it("tests of a window without packs and the in-host tests pass", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-no-packs-"));
    const window = await openWindow({
      folder,
      from: "source",
      tests: join(root, "test/e2e/in-host/index.cjs"),
      opening: (dataFolder) => {
        writeHostFolder(folder, dataFolder);
        // As any editor with agents has it.
        authorSettings({ "chat.disableAIFeatures": false })(dataFolder);
      },
    });
    try {
      const watchdog = new Promise<number>((_, reject) =>
        setTimeout(() => reject(new Error(`the tests did not end\n${window.serverLog()}`)), 200_000).unref(),
      );
      assert.equal(await Promise.race([window.testsEnded, watchdog]), 0, window.testLog());
    } finally {
      await window.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
