// An MCP server in the panel: its tools listed, one of them chosen, its form, and what it gave.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { McpTool } from "../../protocol/mcp.ts";
import type { Runnable, ToolForm, ToPanel } from "../../protocol/panel.ts";
import { parameter, report, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

const TOOLS: readonly ToolForm[] = [
  {
    name: "search",
    title: "Search issues",
    description: "Finds <b>issues</b>.",
    annotations: { readOnlyHint: true },
    parameters: [
      parameter("query"),
      parameter("state", { choices: ["open", "closed"], optional: true }),
      parameter("filter", { kind: "json", optional: true }),
      parameter("size", { kind: "number", suggestedValue: 10 }),
    ],
  },
  { name: "create", description: "Makes an issue.", parameters: [] },
];
const asListed = ({ parameters: _, ...tool }: ToolForm): McpTool => ({ ...tool, inputSchema: { type: "object" } });
const server = (tools: readonly ToolForm[]): Runnable => ({
  kind: "mcpServer",
  definition: {
    name: "Acme",
    description: "https://mcp.acme.example/mcp",
    parameters: [],
    varargParameters: [],
    connectionRequirement: "required",
  },
  tools,
});
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("An MCP server in the panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  const account = { id: "a", label: "alice", sandbox: false, state: { state: "ready" } } as const;
  const serverMessage = (tools: readonly ToolForm[]): ToPanel =>
    show(server(tools), {
      target: { entry: "/todo/pack.ts", kind: "mcpServer", name: "Acme" },
      accountRequirement: "required",
      accounts: [account],
      selectedAccount: "a",
    });
  const listed = (): readonly ToPanel[] => [
    { type: "started" },
    { type: "tools", tools: TOOLS },
    {
      type: "finished",
      report: report({ status: "succeeded", value: TOOLS.map(asListed) }, { target: { kind: "mcpServer", name: "Acme" } }),
    },
  ];
  const gave = (value: unknown, content: NonNullable<(ToPanel & { type: "finished" })["report"]["content"]>): ToPanel => ({
    type: "finished",
    report: report({ status: "succeeded", value }, { target: { kind: "mcpTool", server: "Acme", name: "search", arguments: {} }, content }),
  });

  it("tools are listed and lead to their forms", async () => {
    await panel.post(serverMessage([]), { type: "startNow", how: "run" });
    const { page } = panel;
    assert.equal((await panel.message("run")).tool, undefined);
    await panel.post(...listed());
    assert.deepEqual(await page.getByTestId("use-tool").allInnerTexts(), ["search", "create"]);
    assert.match(
      await page.getByTestId("tools").innerText(),
      /Finds <b>issues<\/b>\..*may change or remove data, the platform asks before each call/s,
    );
    await page.getByTestId("filter").fill("makes");
    await panel.drawn();
    assert.deepEqual(await page.getByTestId("use-tool").allInnerTexts(), ["create"]);
    await page.getByTestId("filter").fill("");
    await panel.drawn();
    await page.getByTestId("use-tool").first().focus();
    await page.keyboard.press("Enter");
    await panel.drawn();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "param-query");
    assert.equal(await page.getByTestId("tool").inputValue(), "search");
    assert.match(await page.getByTestId("tool-help").innerText(), /Finds <b>issues<\/b>\. · read-only/);
    assert.equal(await page.getByTestId("param-size").inputValue(), "10");
    await page.keyboard.type("login");
    await page.locator("summary").first().click();
    await page.getByTestId("param-state").selectOption("open");
    await page.getByTestId("param-filter").fill('{"by": "me"}');
    await page.keyboard.press("Control+Enter");
    const runMessage = await panel.message("run", { tool: "search" });
    assert.deepEqual(runMessage.fields, [
      { key: "query", text: "login" },
      { key: "state", text: "open" },
      { key: "filter", text: '{"by": "me"}' },
      { key: "size", text: "10" },
    ]);
  });

  it("the form has the account first, then the tool, and no debugger", async () => {
    await panel.post(serverMessage(TOOLS));
    const labels = await panel.page.locator("form label").allInnerTexts();
    assert.deepEqual(labels.slice(0, 2), ["Account *", "Tool"]);
    assert.equal(await panel.page.getByTestId("debug").count(), 0);
  });

  it("a server without authentication can run in the sandbox without an account", async () => {
    await panel.post(
      show(server(TOOLS), { target: { entry: "/todo/pack.ts", kind: "mcpServer", name: "Acme" }, accountRequirement: "none" }),
    );
    await panel.page.getByTestId("at-sandbox").check();
    await panel.page.keyboard.press("Control+Enter");
    assert.equal((await panel.message("run")).atSandbox, true);
    await panel.post(serverMessage(TOOLS));
    assert.equal(await panel.page.getByTestId("at-sandbox").count(), 0);
  });

  it("a tool's result is shown structured, as text, and images after a click", async () => {
    const { page } = panel;
    const image = { type: "image", mimeType: "image/png", data: PIXEL } as const;
    await panel.post(
      serverMessage(TOOLS),
      gave({ found: 2 }, [{ type: "text", text: '{"found":2}' }, { type: "text", text: "Two <i>of</i> them" }, image]),
    );
    assert.match(await page.getByTestId("result").innerText(), /found\s+2/);
    assert.deepEqual(await page.getByTestId("tool-content").locator("pre").allInnerTexts(), ["Two <i>of</i> them"]);
    assert.equal(await page.locator("img").count(), 0);
    await page.getByRole("button", { name: "Show image (image/png)" }).click();
    const width = await page.locator("img").evaluate(async (each) => {
      await (each as HTMLImageElement).decode();
      return (each as HTMLImageElement).naturalWidth;
    });
    assert.equal(width, 1);
    await panel.post(gave("just text", [{ type: "text", text: "just text" }]));
    assert.equal(await page.getByTestId("tool-content").count(), 0);
    const link = { type: "resource_link", uri: "file:///x" };
    await panel.post(
      gave(null, [
        { type: "other", value: link },
        { type: "image", mimeType: "image/svg+xml", data: "" },
      ]),
    );
    assert.match(await page.getByTestId("tool-content").innerText(), /file:\/\/\/x.*Images of type image\/svg\+xml are not shown/s);
  });

  it("every state passes axe", async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await panel.page.evaluate(axe);
    const check = async (): Promise<void> => {
      const { violations } = (await panel.page.evaluate("axe.run()")) as { violations: { id: string; nodes: { html: string }[] }[] };
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
        [],
      );
    };
    const target = { entry: "/todo/pack.ts", kind: "mcpServer", name: "Acme" } as const;
    await panel.post({ type: "loading", pack: "todo", target }, serverMessage([]), ...listed());
    await check();
    await panel.page.getByTestId("tool").selectOption("search");
    await panel.post(gave({ found: 2 }, [{ type: "image", mimeType: "image/png", data: PIXEL }]));
    await check();
  });
});
