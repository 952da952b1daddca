// The installed package in the real VS Code, in one window that is not trusted at first: an author's way (support/authors-journey.ts), what an
// author begins from the source and from the palette (support/panel-run.ts), and what a debugger shows of it (support/debugging.ts). Its folder
// is opened through a link (support/linked-workspace.ts).
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debuggableNode } from "../support/nodes.ts";
import { root } from "../support/packs.ts";
import { authorSettings } from "./support/author-settings.ts";
import { authorsJourney, storeSandboxAccount, writeExample } from "./support/authors-journey.ts";
import { debugging, writeDebugPack } from "./support/debugging.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";
import { linkedFolder, linkedWorkspace } from "./support/linked-workspace.ts";
import { panelRun, writeDesk } from "./support/panel-run.ts";

describe("The installed package", function () {
  this.timeout(120_000);
  let window: Window;
  let base: string;
  let workspace: string;
  before(async () => {
    const node = await debuggableNode();
    assert.ok(node, "no Node here can be debugged");
    base = mkdtempSync(join(tmpdir(), "pack-auth-installed-"));
    const { real, link } = linkedFolder(base);
    workspace = real;
    mkdirSync(join(workspace, ".vscode"));
    writeExample(workspace);
    writeDesk(workspace);
    writeDebugPack(workspace);
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    // As on a desktop. In a browser the editor saves a second after a key, perhaps while a test writes the same file.
    const settings = { ...SYNTAX_ONLY, "debug.toolBarLocation": "docked", "files.autoSave": "off" };
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(settings));
    window = await openWindow({
      folder: link,
      from: "vsix",
      trusted: false,
      opening: (dataFolder) => {
        authorSettings({ "packAuth.nodePath": node.path })(dataFolder);
        storeSandboxAccount(dataFolder, join(workspace, "todo-oauth2/pack.ts"));
      },
    });
  });
  after(async () => {
    await window?.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  });

  describe("The author's journey", () => authorsJourney(() => ({ window, workspace })));
  describe("A workspace behind a link", () => linkedWorkspace(() => ({ window, workspace })));
  describe("Source and panel", () => panelRun(() => ({ window, workspace })));
  describe("Debugging", () => debugging(() => ({ window })));
});
