// A window with the installed package, whose folder is opened through a link.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debuggableNode } from "../../support/nodes.ts";
import { root } from "../../support/packs.ts";
import { openWindow, type SharedWindow, SYNTAX_ONLY, type WindowOptions } from "./embedded.ts";

/** Returns the window of the calling suite. `write` writes its packs. */
export function installedWindowOfSuite(
  write: (workspace: string) => void,
  options: (workspace: string) => Partial<WindowOptions>,
): () => SharedWindow {
  let shared: SharedWindow;
  let base: string;
  before(async () => {
    const node = await debuggableNode();
    assert.ok(node, "no Node here can be debugged");
    base = mkdtempSync(join(tmpdir(), "pack-auth-installed-"));
    const { real: workspace, link } = linkedFolder(base);
    mkdirSync(join(workspace, ".vscode"));
    write(workspace);
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    writeFileSync(
      join(workspace, ".vscode/settings.json"),
      JSON.stringify({ ...SYNTAX_ONLY, "packAuth.nodePath": node.path, "debug.toolBarLocation": "docked" }),
    );
    shared = { window: await openWindow({ folder: link, from: "vsix", ...options(workspace) }), workspace };
  });
  after(async () => {
    await shared?.window.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  });
  return () => shared;
}

/** A folder behind a link, both below `base`. */
function linkedFolder(base: string): { readonly real: string; readonly link: string } {
  const real = join(base, "deep/down/real");
  mkdirSync(real, { recursive: true });
  const link = join(base, "li nk#%25(@)");
  symlinkSync(real, link);
  return { real, link };
}
