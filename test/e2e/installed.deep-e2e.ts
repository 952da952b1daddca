// The installed package in the real VS Code: a folder behind a link (support/linked-workspace.ts), what an author begins from the source and
// from the palette (support/panel-run.ts), and what a debugger shows of it (support/debugging.ts).
import { debugging, writeDebugPack } from "./support/debugging.ts";
import { installedWindowOfSuite } from "./support/installed-window.ts";
import { linkedWorkspace } from "./support/linked-workspace.ts";
import { panelRun, writeDesk } from "./support/panel-run.ts";

describe("The installed package at work", function () {
  this.timeout(120_000);
  const shared = installedWindowOfSuite(
    (workspace) => {
      writeDesk(workspace);
      writeDebugPack(workspace);
    },
    () => ({}),
  );
  describe("A workspace behind a link", () => linkedWorkspace(shared));
  describe("Source and panel", () => panelRun(shared));
  describe("Debugging", () => debugging(shared));
});
