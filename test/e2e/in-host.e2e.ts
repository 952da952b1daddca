// The mocha entry inside the extension host, here in the embedded VS Code; `npm run test:electron` runs the same one on a desktop.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/packs.ts";
import { openWindow } from "./support/embedded.ts";

describe("inside the extension host", function () {
  this.timeout(240_000);

  const run = async (folder: string, tests: string, opened: (dataFolder: string) => void = () => {}): Promise<void> => {
    const window = await openWindow({ folder, from: "source", tests: join(root, "test/e2e/in-host", tests), opening: opened });
    try {
      const watchdog = new Promise<number>((_, reject) =>
        setTimeout(() => reject(new Error(`the tests did not end\n${window.serverLog()}`)), 200_000).unref(),
      );
      assert.equal(await Promise.race([window.testsEnded, watchdog]), 0, window.testLog());
    } finally {
      await window.close();
    }
  };

  it("passes the in-host tests", () => run(join(root, "examples"), "index.cjs"));

  it("passes those of a window without packs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-no-packs-"));
    try {
      writeFileSync(join(folder, "plain.ts"), "export const answer = 42;\n");
      writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "site", dependencies: { react: "*" } }));
      await run(folder, "no-packs/index.cjs", (dataFolder) => writeFileSync(join(folder, "window.json"), JSON.stringify({ dataFolder })));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
