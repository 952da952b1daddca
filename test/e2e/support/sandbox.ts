// The sandbox in the real VS Code, and failures with their next step: a pack without sandbox.json is echoed and takes an answer, a denied
// sign-in is tried again, a network domain is added. They share the panel's window, whose reload the view and its switches outlive.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { root } from "../../support/packs.ts";
import type { SharedWindow, Window } from "./embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("hub.example");
pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken,
  getConnectionName: async function (context) {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/user" });
    return response.body.login;
  },
});

const IssueSchema = coda.makeObjectSchema({
  properties: {
    title: { type: coda.ValueType.String },
    page: { type: coda.ValueType.String, codaType: coda.ValueHintType.Url, fromKey: "html_url" },
    open: { type: coda.ValueType.Boolean },
  },
  displayProperty: "title",
});

pack.addFormula({
  name: "OpenIssues",
  description: "Lists the open issues.",
  parameters: [],
  resultType: coda.ValueType.Array,
  items: IssueSchema,
  execute: async function ([], context) {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/issues?state=open" });
    return response.body.issues.filter((issue: any) => issue.open);
  },
});

pack.addFormula({
  name: "Elsewhere",
  description: "Asks another API.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function ([], context) {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.elsewhere.example/thing" });
    return "Answered with " + response.status;
  },
});
`;

const SHOP = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("shop.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
});
`;

/** Copies of packs that no account was connected for: folder → the pack that it is a copy of. */
const FIRST_RUNS = { "first-oauth2": "todo-oauth2", "first-token": "hub" } as const;

export function sandbox(shared: () => SharedWindow): void {
  let window: Window;
  let workspace: string;
  before(() => {
    ({ window, workspace } = shared());
    mkdirSync(join(workspace, "hub"));
    writeFileSync(join(workspace, "hub/pack.ts"), PACK);
    cpSync(join(root, "examples/todo-oauth2"), join(workspace, "todo-oauth2"), { recursive: true });
    for (const [name, source] of Object.entries(FIRST_RUNS)) cpSync(join(workspace, source), join(workspace, name), { recursive: true });
    mkdirSync(join(workspace, "shop"));
    writeFileSync(join(workspace, "shop/pack.ts"), SHOP);
  });

  const readStubs = (): readonly { readonly request: string; readonly body: unknown }[] =>
    JSON.parse(readFileSync(join(workspace, "hub/sandbox.json"), "utf8")).answers;

  async function start(pack: string, where: RegExp): Promise<void> {
    const { workbench } = window;
    await workbench.clearNotifications();
    await workbench.open(`${pack}/pack.ts`);
    await workbench.showLens("Connect test account");
    await workbench.command("Pack Auth: Connect test account", workbench.row(where));
    await workbench.pick(where);
  }
  async function decide(popup: Page, decision: "Approve" | "Deny", page: RegExp): Promise<void> {
    // The editor forwards both pages, of the sandbox and of the redirect address.
    const assertForwarded = () => assert.match(popup.url(), /^http:\/\/127\.0\.0\.1:\d+\/proxy\/\d+\//);
    const button = popup.getByRole("button", { name: decision });
    await button.waitFor();
    assertForwarded();
    await button.click();
    await popup.getByText(page).waitFor();
    assertForwarded();
    await popup.close();
  }

  async function runFormula(name: string): Promise<FrameLocator> {
    const { workbench } = window;
    await workbench.clearNotifications();
    await workbench.open("hub/pack.ts");
    const formula = new RegExp(`^${name}`);
    await workbench.command("Pack Auth: Run formula", workbench.row(formula));
    await workbench.pick(formula);
    return workbench.webview(`main:has(h1:text-is("hub ▸ ${name}")) [data-testid="run"]`, 60_000);
  }

  it("an echoed name leaves the account as Sandbox user and offers to add the answer", async () => {
    const { workbench, page } = window;
    await start("hub", /Connect with sandbox/);
    const toast = workbench.toast(/No answer for GET \/user: echoed\./);
    await toast.waitFor({ timeout: 30_000 });
    await workbench.toast(/Sandbox user \(sandbox\)/).waitFor({ timeout: 30_000 });
    await window.screenshot("sandbox-1-name-echoed");
    await workbench.until(page.getByRole("tab", { name: /^sandbox\.json/ }), () =>
      toast.getByRole("button", { name: "Add an answer" }).click(),
    );
    assert.deepEqual(readStubs(), [{ request: "GET https://api.hub.example/user", body: { login: "sample login" } }]);
    await workbench.clearNotifications();
  });

  it("a sample answer gives the first run a result and is edited by keyboard", async () => {
    const { workbench, page } = window;
    const panel = await runFormula("OpenIssues");
    await panel.getByTestId("result-table").getByText("sample title").waitFor({ timeout: 40_000 });
    const echoes = panel.getByTestId("echoes");
    await echoes.getByText("Sample answer for GET /issues?state=open, made from your code.").waitFor();
    await window.screenshot("sandbox-2-sample-above-result");
    await panel.getByTestId("tab-requests").click();
    await panel
      .getByTestId("request-row")
      .getByText(/Sample answer for GET/)
      .waitFor();
    await window.screenshot("sandbox-3-sample-in-requests");
    await panel.getByTestId("tab-result").click();
    const edit = echoes.getByRole("button", { name: /^Edit/ });
    const selected = page.locator(".monaco-editor .view-overlays .selected-text").first();
    await workbench.until(selected, async () => {
      await edit.focus();
      await page.keyboard.press("Enter");
    });
    assert.deepEqual(readStubs()[1], {
      request: "GET https://api.hub.example/issues?state=open",
      body: { issues: [{ title: "sample title", html_url: "https://example.com/1", open: true }] },
    });
    await window.screenshot("sandbox-4-answer-added");
    await panel.getByTestId("run").focus();
    await page.keyboard.press("Control+Enter");
    // The former result has the same text: only a result without the line above it is the new one.
    await echoes.waitFor({ state: "detached", timeout: 30_000 });
    await panel.getByTestId("result-table").getByText("sample title").waitFor({ timeout: 30_000 });
    await window.screenshot("sandbox-5-answered");
  });

  it("a click adds the network domain of an undeclared host for the next run", async () => {
    const { workbench, page } = window;
    const panel = await runFormula("Elsewhere");
    const add = panel.getByTestId("error").getByRole("button", { name: "Add network domain" });
    await add.waitFor();
    await window.screenshot("sandbox-6-undeclared");
    const added = page.locator(".view-line").getByText('pack.addNetworkDomain("elsewhere.example");');
    await workbench.until(added, () => add.click());
    await window.screenshot("sandbox-7-added");
    await workbench.until(panel.getByText("Answered with 200").first(), () => panel.getByTestId("run").click());
    await window.screenshot("sandbox-8-declared");
  });

  it("a denied sign-in shows the provider's reason, and a click tries again", async () => {
    const { workbench, page } = window;
    const popup = await workbench.popup(() => start("todo-oauth2", /Connect with sandbox/));
    await window.screenshot("next-1-waiting");
    await decide(popup, "Deny", /The access was denied \(access_denied.*Go back to the editor/);
    const denied = workbench.toast(/The access was denied/);
    await denied.waitFor({ timeout: 30_000 });
    await window.screenshot("next-3-denied");
    const buttons = await denied.getByRole("button", { name: /^(?:Try again|Open configuration|Copy|Show log)/ }).allInnerTexts();
    assert.deepEqual(buttons, ["Try again", "Open configuration", "Show log"]);
    const accounts = join(window.dataFolder, "User/globalStorage/pack-auth.pack-auth/accounts");
    const stored = readdirSync(accounts).map((name) => readFileSync(join(accounts, name), "utf8"));
    assert.ok(stored.length > 0 && !stored.some((text) => text.includes("todo-oauth2")), "the accounts of the other packs alone");
    const second = await workbench.popup(() => denied.getByRole("button", { name: "Try again" }).click());
    await decide(second, "Approve", /You are signed in/);
    await workbench.toast(/Connected alice@todo\.example/).waitFor({ timeout: 30_000 });
    await window.screenshot("next-5-connected");
    assert.equal(await page.locator(".quick-input-widget:visible").count(), 0);
  });

  for (const [pack, result] of [
    ["first-oauth2", "Buy milk"],
    ["first-token", "sample title"],
  ] as const satisfies readonly (readonly [keyof typeof FIRST_RUNS, string])[])
    it(`a pack without an account shows a result after at most four clicks (${pack})`, async () => {
      const { workbench } = window;
      let clicks = 0;
      const click = async (target: Locator): Promise<void> => {
        clicks++;
        await target.click();
      };
      await workbench.clearNotifications();
      await workbench.open(`${pack}/pack.ts`);
      const connect = await workbench.showLens("Connect test account");
      const sandboxRow = workbench.row(/Connect with sandbox/);
      await click(connect);
      if (pack === "first-oauth2") {
        const popup = await workbench.popup(() => click(sandboxRow));
        clicks++;
        await decide(popup, "Approve", /You are signed in/);
      } else await click(sandboxRow);
      await click(workbench.toast(/Connected/).getByRole("button", { name: /^Run / }));
      const panel = await workbench.webview(`main:has(h1:text-matches("^${pack} ")) [data-testid="run"]`, 60_000);
      await panel.getByText(result).first().waitFor({ timeout: 40_000 });
      await window.screenshot(`first-run-${pack}`);
      assert.ok(clicks <= 4, `${clicks} clicks`);
    });

  it("the redirect address can be copied at the prompt for the client ID", async () => {
    const { workbench, page } = window;
    await start("shop", /Connect a real account/);
    const input = page.locator(".quick-input-widget");
    const redirectHint = input.getByText(/Register the redirect address \S+ there/);
    await redirectHint.waitFor({ timeout: 20_000 });
    // An editor in a browser has its own.
    const [, address = ""] = /redirect address (\S+) there/.exec(await redirectHint.innerText()) ?? [];
    await workbench.toast(/Connect shop/).waitFor({ state: "hidden" });
    await window.screenshot("next-6-client-id");
    const copied = page.locator(".statusbar").getByText(`Copied ${address}`);
    await workbench.until(copied, () => input.getByRole("button", { name: /Copy the redirect address/ }).click());
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    await workbench.type("client-of-nobody");
    await input
      .getByText(/Client secret/)
      .first()
      .waitFor();
    await workbench.type("secret-of-nobody");
    await workbench.row(/^Open the browser/).waitFor();
    await workbench.toast(/Connect shop/).waitFor({ state: "hidden" });
    await window.screenshot("next-7-redirect");
    await page.keyboard.press("Escape");
    await workbench.toast(/Connect shop/).waitFor({ state: "hidden" });
  });
}
