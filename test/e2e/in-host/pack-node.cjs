// Which Node this editor runs packs in: its own, which on a desktop is Electron's, or another one. Each layer of it is printed, since
// only this editor can tell.
const assert = require("node:assert/strict");
const vscode = require("vscode");

describe("The Node for packs", () => {
  it("the chosen Node enforces all layers", async () => {
    const { packNode } = await vscode.extensions.getExtension("pack-auth.pack-auth").activate();
    const { node, selfTest, attempts } = await packNode();
    const electron = process.versions.electron;
    console.log(`VS Code ${vscode.version}${electron === undefined ? "" : `, Electron ${electron}`}, its own Node ${process.version}`);
    for (const line of attempts) console.log(`not in ${line}`);
    console.log(`packs run in ${node}, Node ${selfTest.node}`);
    for (const { name, isEnforced, detail } of selfTest.layers)
      console.log(`  ${isEnforced ? "enforced" : "NOT ENFORCED"}: ${name}${detail === undefined ? "" : ` (${detail})`}`);
    assert.ok(selfTest.layers.length >= 10, `${selfTest.layers.length} layers`);
    assert.ok(selfTest.layers.every(({ isEnforced }) => isEnforced));
  });
});
