// The mocha entry inside the extension host, here in the embedded VS Code; `npm run test:electron` runs the same one on a desktop.
import assert from "node:assert/strict";
import { join } from "node:path";
import { root } from "../support/packs.ts";
import { openWindow } from "./support/embedded.ts";

describe("inside the extension host", function () {
  this.timeout(240_000);

  it("passes the in-host tests", async () => {
    const window = await openWindow({ folder: join(root, "examples"), from: "source", tests: join(root, "test/e2e/in-host/index.cjs") });
    try {
      const watchdog = new Promise<number>((_, reject) =>
        setTimeout(() => reject(new Error(`the tests did not end\n${window.serverLog()}`)), 200_000).unref(),
      );
      assert.equal(await Promise.race([window.testsEnded, watchdog]), 0);
    } finally {
      await window.close();
    }
  });
});
