// A day of an author in one window of the real VS Code: a sign-in at a real provider that outlives a restart, a saved test, an agent that asks
// for an account, and an upload.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OidcProvider, openOidcProvider } from "../support/oidc-provider.ts";
import { root } from "../support/packs.ts";
import { type PublicApiStandIn, STAND_IN, startPublicApi } from "../support/public-api.ts";
import { type AgentCaller, createAgentCaller } from "./support/agent-caller.ts";
import { AGENT_SETTINGS, agentConsent } from "./support/agent-consent.ts";
import { authorSettings } from "./support/author-settings.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";
import { packOfProvider, signInAtProvider } from "./support/provider-sign-in.ts";
import { correctRejectedPack, FORMER, INVALID, uploadFromPage } from "./support/publishing.ts";
import { savedTestsInExplorer } from "./support/saved-tests.ts";

describe("An author's day", function () {
  this.timeout(180_000);
  let window: Window;
  let workspace: string;
  /** The user's data that the editor and the command line share. */
  let home: string;
  let provider: OidcProvider;
  let agent: AgentCaller;
  let api: PublicApiStandIn;
  before(async () => {
    [provider, api] = await Promise.all([openOidcProvider({}, "127.0.0.2"), startPublicApi({ versions: [{ packVersion: FORMER }] })]);
    agent = createAgentCaller();
    workspace = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-workday-")));
    home = mkdtempSync(join(tmpdir(), "pack-auth-workday-home-"));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    for (const folder of [".vscode", "shop", "orders"]) mkdirSync(join(workspace, folder));
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(SYNTAX_ONLY));
    writeFileSync(join(workspace, "shop/pack.ts"), packOfProvider(provider, '"orders:read"'));
    writeFileSync(join(workspace, "orders/.coda-pack.json"), JSON.stringify({ packId: STAND_IN.packId }));
    writeFileSync(join(workspace, "orders/pack.ts"), INVALID);
    window = await openWindow({
      folder: workspace,
      from: "source",
      helper: agent.extension,
      // The stand-in of the platform is behind a proxy, and the provider and the agent's API are not.
      env: { ...api.env, NO_PROXY: "127.0.0.2,localhost", PACK_AUTH_HOME: home },
      // The editor reads the system's certificates in place of those that Node trusts, which include the stand-in's.
      opening: authorSettings({ ...AGENT_SETTINGS, "http.systemCertificates": false }),
    });
  });
  after(async () => {
    await window?.close();
    agent?.close();
    provider?.close();
    await api?.close();
    for (const folder of [workspace, home]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  beforeEach(() => window.workbench.clearNotifications());

  const showAccount = () => window.workbench.command("Pack Auth: Focus on Accounts View", window.workbench.tree(/carol/));

  it("auth-spec 5.5.3: a sign-in registers the application, shows the redirect address and lists the account", async () => {
    await window.workbench.open("shop/pack.ts");
    await signInAtProvider(window, provider);
    await showAccount();
  });

  it("an account of a real provider is refreshed", async () => {
    const { workbench } = window;
    const before = provider.requests.length;
    await workbench.menu(workbench.tree(/carol/), "Refresh now", workbench.toast("carol has a new token."));
    assert.ok(provider.requests.slice(before).includes("POST /token"));
  });

  describe("Saved tests", () => savedTestsInExplorer(() => ({ window, workspace })));

  describe("An agent", () => agentConsent(() => ({ window, workspace, agent })));

  it("a pack that would be rejected is corrected on the page that tells the line", async () => {
    const { workbench } = window;
    await workbench.closeEditors();
    await workbench.open("orders/pack.ts");
    await correctRejectedPack(window, join(workspace, "orders/pack.ts"));
  });

  it("an upload asks for the token, the notes and a yes, and says that the platform lists the version", () => uploadFromPage(window, api));

  it("an account outlives a restart of the editor, and its formula runs", async () => {
    const { workbench, page } = window;
    await page.reload();
    await workbench.ready();
    await workbench.closeEditors();
    await showAccount();
    await workbench.open("shop/pack.ts");
    const lens = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Hello · / }), () => lens.click());
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    await panel.getByTestId("result").getByText("Hello").first().waitFor({ timeout: 30_000 });
  });
});
