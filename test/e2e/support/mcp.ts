// An MCP server that others wrote, tried in the real VS Code: the account first, its tools, a form, what they give, and a question before
// one that may change something.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../../base/error-message.ts";
import { installPackagesNow } from "../../../scripts/npm-packages.ts";
import type { Authority } from "../../interop/authority.ts";
import { packages } from "../../interop/install.ts";
import { type ServerProcess, startServer } from "../../interop/server-process.ts";
import { notRunOutsideCi } from "../../support/not-run.ts";
import { root } from "../../support/packs.ts";
import type { SharedWindow, Window } from "./embedded.ts";

const TOOL = {
  name: "find",
  description: "Finds what is there.",
  inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  answer: { found: [{ name: "Buy milk", done: false }] },
};

/** Where packs may ask this machine, and its certificates are trusted. */
export function mcp(shared: () => SharedWindow & { readonly authority: Authority }): void {
  const token = `t-${randomUUID()}`;
  let window: Window;
  let server: ServerProcess;
  try {
    installPackagesNow(packages);
  } catch (error) {
    notRunOutsideCi(errorMessage(error));
    return;
  }
  before(async () => {
    const { workspace, authority } = shared();
    ({ window } = shared());
    server = await startServer("mcp-tools", authority, { token });
    mkdirSync(join(workspace, "tools"));
    writeFileSync(
      join(workspace, "tools/pack.ts"),
      `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("localhost");

pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

pack.addMCPServer({ name: "Tools", endpointUrl: "${server.origin}/1/session" });
`,
    );
    const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs");
    for (const [folder, sample] of [
      ["todoist", "todoist/mcp.ts"],
      ["icons", "mcp/icons8.ts"],
    ] as const) {
      mkdirSync(join(workspace, folder));
      // Of a name that nobody has: nothing here is asked of a real server.
      const source = readFileSync(join(samples, sample), "utf8").replaceAll("icons8.com", "icons8.invalid");
      writeFileSync(join(workspace, folder, "pack.ts"), source);
      writeFileSync(join(workspace, folder, "sandbox.json"), JSON.stringify({ answers: [], tools: [TOOL] }));
    }
  });
  after(() => server?.close());

  it("an account is connected first, then a tool leads to its form and result", async () => {
    const { workbench } = window;
    await workbench.open("tools/pack.ts");
    const lens = await workbench.showLens("Try server");
    await workbench.until(workbench.row(/Connect a real account/), () => lens.click());
    await workbench.pick(/Connect a real account/);
    await workbench.type(token);
    const panel = await workbench.webview('main:has(h1:text-is("tools ▸ Tools")) [data-testid="run"]', 60_000);
    const tools = panel.getByTestId("use-tool");
    await tools.first().waitFor({ timeout: 30_000 });
    assert.deepEqual(await tools.allInnerTexts(), ["add", "note", "picture", "headers", "fails"]);
    await window.screenshot("mcp-1-tools");
    await tools.first().click();
    await panel.getByTestId("param-a").fill("40");
    await panel.getByTestId("param-b").fill("2");
    await window.screenshot("mcp-2-form");
    await panel.getByTestId("run").click();
    await panel.getByRole("rowheader", { name: "sum" }).waitFor({ timeout: 30_000 });
    assert.match(await panel.getByTestId("result").innerText(), /sum\s+42/);
    await window.screenshot("mcp-3-result");
    await panel.getByTestId("tab-requests").click();
    await panel.locator("#tabpanel").getByText(/POST/).first().waitFor();
    assert.match(await panel.locator("#tabpanel").innerText(), /POST.*Authorization → localhost/s);
    await window.screenshot("mcp-4-requests");
  });

  it("a tool that may change data asks first, and an image needs a click", async () => {
    const { workbench, page } = window;
    const panel = await workbench.webview('main:has(h1:text-is("tools ▸ Tools")) [data-testid="run"]', 60_000);
    await panel.getByTestId("tab-result").click();
    await panel.getByTestId("tool").selectOption("note");
    await panel.getByTestId("param-text").fill("Buy milk");
    const question = page.getByRole("dialog").getByText(/Call note\? It may change data.*its server does not mark it as read-only/);
    await panel.getByTestId("run").click();
    await question.waitFor({ timeout: 30_000 });
    await window.screenshot("mcp-5-question");
    await page.keyboard.press("Escape");
    await panel
      .getByTestId("status")
      .getByText(/Cancelled/)
      .waitFor();
    await panel.getByTestId("run").click();
    await question.waitFor({ timeout: 30_000 });
    await page.getByRole("dialog").getByRole("button", { name: "Call it" }).click();
    await panel.getByTestId("result-table").getByText("low: Buy milk").waitFor({ timeout: 30_000 });
    await panel.getByTestId("tool").selectOption("picture");
    await panel.getByTestId("run").click();
    await panel.getByRole("button", { name: "Show image (image/png)" }).click();
    await panel.locator("img").waitFor({ state: "attached" });
    assert.equal(await panel.locator("img").evaluate((image) => (image as HTMLImageElement).decode().then(() => true)), true);
    await panel.getByTestId("tool").selectOption("headers");
    await panel.getByTestId("run").click();
    await panel
      .getByTestId("result-table")
      .getByText(/authorization/)
      .waitFor({ timeout: 30_000 });
    await window.screenshot("mcp-6-masked");
    assert.ok(!(await panel.locator("main").innerText()).includes(token));
  });

  const inPanel = (title: string) => window.workbench.webview(`main:has(h1:text-is("${title}")) [data-testid="run"]`, 60_000);
  async function callFind(panel: Awaited<ReturnType<typeof inPanel>>, picture: string): Promise<void> {
    await panel.getByTestId("use-tool").getByText("find").click();
    await panel.getByTestId("param-query").fill("milk");
    await panel.getByTestId("run").click();
    await panel.getByTestId("result").getByText("Buy milk").first().waitFor({ timeout: 30_000 });
    await window.screenshot(picture);
  }

  it("the SDK's tutorial pack without addresses registers, signs in, lists and calls in the sandbox", async () => {
    const { workbench } = window;
    await workbench.clearNotifications();
    await workbench.open("todoist/pack.ts");
    await workbench.showLens("Connect test account");
    await workbench.command("Pack Auth: Try MCP server", workbench.row(/Connect with sandbox/));
    const popup = await workbench.popup(() => workbench.pick(/Connect with sandbox/));
    await popup.getByRole("button", { name: "Approve" }).click();
    await popup.getByText("You are signed in").waitFor();
    await popup.close();
    await callFind(await inPanel("todoist ▸ Todoist"), "mcp-7-tutorial");
  });

  it("a sample without authentication runs in the sandbox when ticked", async () => {
    const { workbench, page } = window;
    await workbench.clearNotifications();
    await workbench.open("icons/pack.ts");
    const tab = page.getByRole("tab", { name: /^Icons8 · / });
    const lens = await workbench.showLens("Try server");
    await workbench.until(tab, () => lens.click());
    const panel = await inPanel("icons ▸ Icons8");
    // It asked the server itself, which is not there.
    await panel
      .getByTestId("status")
      .getByText(/^Failed/)
      .waitFor({ timeout: 60_000 });
    await panel.getByTestId("at-sandbox").check();
    await panel.getByTestId("run").click();
    await callFind(panel, "mcp-8-no-account");
  });
}
