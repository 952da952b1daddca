// Paths as Windows takes them: either slash, any case, a drive's letter in either case. Node for Windows, in Wine.
import assert from "node:assert/strict";
import { root } from "../support/packs.ts";
import { windowsOfSuite, windowsPath } from "./wine.ts";

describe("Paths of the command line on Windows (Wine)", function () {
  this.timeout(120_000);
  const windows = windowsOfSuite();
  if (windows === undefined) return;
  const product = windows.install({ node: 22, isNative: true });
  const checked = async (...paths: readonly string[]): Promise<readonly string[]> => {
    const { out, err } = await product.call(["check", ...paths, "--format", "json"]);
    assert.match(out, /^\{/, err);
    return (JSON.parse(out) as { files: readonly { path: string }[] }).files.map(({ path }) => path.replaceAll("\\", "/"));
  };

  it("a glob matches with either slash and in any case", async () => {
    const expected = await checked("examples/todo-*/*.ts");
    assert.ok(expected.includes("examples/todo-oauth2/pack.ts"), String(expected));
    assert.deepEqual(await checked("EXAMPLES\\Todo-*\\*.TS"), expected);
    assert.deepEqual(await checked(`${windowsPath(root).replace("Z:", "z:")}\\examples\\**\\todo-*\\*.ts`), expected);
  });

  it("a pack has the stored name of its folder in any spelling", async () => {
    const { code, out, err } = await product.call(["credentials", "EXAMPLES\\Todo-OAuth2"]);
    assert.equal(code, 0, err);
    assert.equal(out, "No client ID is stored for todo-oauth2.\n");
  });

  it("a file named several times is checked once and reported as stored", async () => {
    const names = [
      "examples\\mistakes\\pack.ts",
      "examples/MISTAKES/Pack.ts",
      `${windowsPath(root).toLowerCase()}\\examples\\mistakes\\PACK.TS`,
    ];
    assert.deepEqual(await checked(...names), ["examples/mistakes/pack.ts"]);
  });
});
