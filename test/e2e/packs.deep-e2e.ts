// Authors at work in one window of the real VS Code, each with packs of its own: agents (support/agents.ts), a real provider
// (support/real-provider.ts), what a run showed (support/evidence.ts), scopes on demand (support/scopes.ts), an MCP server (support/mcp.ts) and
// saved tests (support/saved-tests.ts).
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Authority, createAuthority } from "../interop/authority.ts";
import { root } from "../support/packs.ts";
import { type AgentCaller, createAgentCaller } from "./support/agent-caller.ts";
import { AGENT_SETTINGS } from "./support/agent-consent.ts";
import { agents } from "./support/agents.ts";
import { authorSettings } from "./support/author-settings.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";
import { evidence } from "./support/evidence.ts";
import { mcp } from "./support/mcp.ts";
import { realProvider } from "./support/real-provider.ts";
import { savedTests } from "./support/saved-tests.ts";
import { scopes } from "./support/scopes.ts";

/** An account is renamed by a key. */
const KEYS = [{ key: "ctrl+alt+n", command: "packAuth.accounts.rename" }];

describe("Journeys in VS Code", function () {
  this.timeout(180_000);
  let window: Window;
  let workspace: string;
  let authority: Authority;
  let agent: AgentCaller;
  const shared = () => ({ window, workspace, authority, agent });
  before(async () => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-packs-")));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    authority = await createAuthority();
    agent = createAgentCaller();
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(SYNTAX_ONLY));
    window = await openWindow({
      folder: workspace,
      from: "source",
      helper: agent.extension,
      opening: authorSettings({ ...AGENT_SETTINGS, "packAuth.trustedCertificates": [authority.ca] }, KEYS),
    });
  });
  after(async () => {
    await window?.close();
    authority?.remove();
    agent?.close();
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
  journey("Agents in VS Code", agents);
  journey("A real provider", realProvider);
  journey("Evidence of a run", evidence);
  journey("Scopes on demand", scopes);
  journey("An MCP server", mcp);
  journey("Saved tests", savedTests);
});
