// What the installed extension's debugger says in its console: what the author's pack says, and nothing in red.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debuggableNode } from "../support/nodes.ts";
import { root } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();

pack.addFormula({
  name: "Answer",
  description: "Gives the answer.",
  parameters: [],
  resultType: coda.ValueType.String,
  connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function () {
    debugger;
    return "forty-two";
  },
});
`;

describe("the debug console of the installed extension", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  before(async () => {
    const node = await debuggableNode();
    assert.ok(node, "no Node here can be debugged");
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-console-"));
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(join(workspace, "pack.ts"), PACK);
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify({ "packAuth.nodePath": node.path }));
    window = await openWindow({ folder: workspace, from: "vsix" });
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  it("a debug session begins without an error in its console", async () => {
    const { workbench, page } = window;
    await workbench.open("pack.ts");
    await workbench.lens("Debug").waitFor({ timeout: 60_000 });
    await workbench.until(page.getByRole("tab", { name: /^Answer · / }), () => workbench.lens("Debug").click());
    await page.locator(".debug-top-stack-frame-line").first().waitFor({ timeout: 40_000 });
    const console = page.locator(".repl");
    await workbench.command("Debug Console: Focus on Debug Console View", console);
    // What stands there when an expression is answered came before it.
    const input = console.locator(".repl-input-wrapper .monaco-editor").first();
    await input.click();
    await page.keyboard.type("40 + 2");
    await page.keyboard.press("Enter");
    await console.locator(".repl-tree").getByText("42", { exact: true }).first().waitFor({ timeout: 20_000 });
    await window.screenshot("debug-5-console");
    const said = await console.locator(".repl-tree .monaco-list-row").allInnerTexts();
    assert.deepEqual(
      said.filter((line) => /source ?map|could not|error/i.test(line)),
      [],
    );
  });
});
