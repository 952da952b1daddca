// A pack without sandbox.json, in the real VS Code: the sandbox echoes, says so, and takes an answer; its view outlives a reload.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { root } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

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
`;

describe("the sandbox in VS Code", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-hub-"));
    mkdirSync(join(workspace, "hub"));
    writeFileSync(join(workspace, "hub/pack.ts"), PACK);
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    window = await openWindow({ folder: workspace, from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  const answers = (): readonly { readonly request: string; readonly body: unknown }[] =>
    JSON.parse(readFileSync(join(workspace, "hub/sandbox.json"), "utf8")).answers;
  const panelOf = (): Promise<FrameLocator> => window.workbench.webview('main:has(h1:text-is("hub ▸ OpenIssues"))', 60_000);
  const inSandboxView = (name: RegExp): Locator => window.page.getByRole("tree", { name: /Sandbox/ }).getByRole("treeitem", { name });

  it("names the account Sandbox user where an echo cannot, and offers to add the answer", async () => {
    const { workbench, page } = window;
    await workbench.open("pack.ts");
    await workbench.showLens("Connect test account");
    await workbench.command("Pack Auth: Connect test account", workbench.row(/Connect with sandbox/));
    await workbench.pick(/Connect with sandbox/);
    await workbench.pick(/This workspace only/);
    const told = workbench.toast(/No answer for GET \/user: echoed\./);
    await told.waitFor({ timeout: 30_000 });
    await workbench.toast(/Sandbox user \(sandbox\)/).waitFor({ timeout: 30_000 });
    await window.screenshot("sandbox-1-name-echoed");
    await workbench.until(page.getByRole("tab", { name: /^sandbox\.json/ }), () =>
      told.getByRole("button", { name: "Add an answer" }).click(),
    );
    assert.deepEqual(answers(), [{ request: "GET https://api.hub.example/user", body: { login: "sample login" } }]);
    await workbench.command("Notifications: Clear All Notifications");
  });

  it("goes from an echo to Add an answer to the result, by keyboard", async () => {
    const { workbench, page } = window;
    await workbench.open("pack.ts");
    await workbench.command("Pack Auth: Run formula", workbench.row(/^OpenIssues/));
    await workbench.pick(/^OpenIssues/);
    const panel = await panelOf();
    await panel.getByTestId("error").waitFor({ timeout: 40_000 });
    const echoes = panel.getByTestId("echoes");
    await echoes.getByText("No answer for GET /issues?state=open: echoed.").waitFor();
    await window.screenshot("sandbox-2-echo-above-error");
    await panel.getByTestId("tab-requests").click();
    await panel
      .getByTestId("request-row")
      .getByText(/No answer for GET/)
      .waitFor();
    await window.screenshot("sandbox-3-echo-in-requests");
    await panel.getByTestId("tab-result").click();
    const add = echoes.getByRole("button", { name: /^Add an answer/ });
    const selected = page.locator(".monaco-editor .view-overlays .selected-text").first();
    await workbench.until(selected, async () => {
      await add.focus();
      await page.keyboard.press("Enter");
    });
    assert.deepEqual(answers()[1], {
      request: "GET https://api.hub.example/issues?state=open",
      body: { issues: [{ title: "sample title", html_url: "https://example.com/1", open: true }] },
    });
    await window.screenshot("sandbox-4-answer-added");
    await panel.getByTestId("run").focus();
    await page.keyboard.press("Control+Enter");
    await panel.getByTestId("result-table").getByText("sample title").waitFor({ timeout: 30_000 });
    assert.equal(await echoes.count(), 0);
    await window.screenshot("sandbox-5-answered");
  });

  it("keeps its view and its switches over a reload of the window", async () => {
    const { workbench, page } = window;
    const api = inSandboxView(/^API/);
    await workbench.command("Pack Auth: Focus on Sandbox View", api);
    await workbench.until(workbench.row(/refuses: 429/), () => api.click());
    await workbench.pick(/refuses: 429/);
    await inSandboxView(/^API: refuses: 429/).waitFor({ timeout: 20_000 });
    // The editor writes its state down now and then; whether the panel is in it is left open.
    for (let attempt = 0; attempt < 300 && !/api[\\"]+:[\\"]+429/.test(await window.stored()); attempt++) await page.waitForTimeout(200);
    await page.reload();
    await workbench.ready();
    await inSandboxView(/^API: refuses: 429/).waitFor({ timeout: 60_000 });
    await window.screenshot("sandbox-6-reloaded");
    await workbench.open("pack.ts");
    await workbench.command("Pack Auth: Run formula", workbench.row(/^OpenIssues/));
    await workbench.pick(/^OpenIssues/);
    const panel = await panelOf();
    await panel.getByTestId("sign-in-again").click({ timeout: 60_000 });
    await panel.getByTestId("sign-in-again").waitFor({ state: "detached", timeout: 40_000 });
    await panel.getByTestId("run").click();
    await panel.getByTestId("error").getByText(/429/).first().waitFor({ timeout: 30_000 });
  }).timeout(240_000);
});
