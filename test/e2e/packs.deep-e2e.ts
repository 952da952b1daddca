// Authors at work in one window of the real VS Code, each with packs of its own: what a run showed (support/evidence.ts), scopes on
// demand (support/scopes.ts), an MCP server (support/mcp.ts) and saved tests (support/saved-tests.ts).
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Authority, createAuthority } from "../interop/authority.ts";
import { root } from "../support/packs.ts";
import { authorSettings } from "./support/author-settings.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";
import { evidence } from "./support/evidence.ts";
import { mcp } from "./support/mcp.ts";
import { savedTests } from "./support/saved-tests.ts";
import { scopes } from "./support/scopes.ts";

describe("Journeys in VS Code", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  let authority: Authority;
  const shared = () => ({ window, workspace, authority });
  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-packs-"));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    authority = await createAuthority();
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(SYNTAX_ONLY));
    window = await openWindow({
      folder: workspace,
      from: "source",
      opening: authorSettings({ "packAuth.allowLoopback": true, "packAuth.trustedCertificates": [authority.ca] }),
    });
  });
  after(async () => {
    await window?.close();
    authority?.remove();
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A journey that begins with no editor. */
  const journey = (title: string, tests: (of: typeof shared) => void): void => {
    describe(title, () => {
      before(async () => {
        const { workbench } = window;
        await workbench.closeEditors();
        await workbench.clearNotifications();
      });
      tests(shared);
    });
  };
  journey("Evidence of a run", evidence);
  journey("Scopes on demand", scopes);
  journey("An MCP server", mcp);
  journey("Saved tests", savedTests);
});
