// What is stored, on Windows: its credential store, and files that somebody else has open. Node for Windows, in Wine.
import assert from "node:assert/strict";
import { windowsOfSuite } from "./wine.ts";

describe("Storage on Windows (Wine)", function () {
  this.timeout(120_000);
  const windows = windowsOfSuite();
  if (windows === undefined) return;
  const product = windows.install({ node: 22, isNative: true });

  async function readScriptResult(script: string): Promise<Readonly<Record<string, unknown>>> {
    const { code, out, err } = await product.runScript(script);
    assert.equal(code, 0, err);
    return JSON.parse(out) as Readonly<Record<string, unknown>>;
  }

  it("a secret too long for the credential store is kept", async () => {
    const { refusal, isWhole } = await readScriptResult("keyring-script");
    assert.match(String(refusal), /longer than.*limit.*2560/);
    assert.equal(isWhole, true);
  });

  it("files and locks in use are replaced, read and removed once they are free", async () => {
    assert.deepEqual(await readScriptResult("open-files-script"), {
      refused: { rename: "EPERM", read: "EBUSY", remove: "EBUSY" },
      replaced: "new",
      secret: "secret",
      removed: true,
      released: true,
    });
  });
});
