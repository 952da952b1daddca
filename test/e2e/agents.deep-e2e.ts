// Agents in the real VS Code: an agent checks a pack, runs it in the sandbox, and asks for a real account. The chat approves all calls by
// itself, and the person is asked nevertheless.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { AGENT_TOOLS } from "../../platform/agents/agent-tools.ts";
import { root } from "../support/packs.ts";
import { type AgentCaller, createAgentCaller } from "./support/agent-caller.ts";
import { authorSettings } from "./support/author-settings.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";

const source = (port: number): string => `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("localhost");
pack.addNetworkDomain("shop.example");

pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "localhost" });

function addFormula(name: string, url: string) {
  pack.addFormula({
    name,
    description: "Asks for a text.",
    parameters: [],
    resultType: coda.ValueType.String,
    execute: async function (args, context) {
      const answer = await context.fetcher.fetch({ method: "GET", url });
      return answer.body.text;
    },
  });
}
addFormula("Greeting", "http://localhost:${port}/greeting");
addFormula("Offer", "https://shop.example/offer");
addFormula("Rumour", "https://elsewhere.example/rumour");
`;

const MISTAKE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({ type: "HeaderBearerTokn" });
`;

const TOKEN = "token-of-nobody";

describe("Agents in VS Code", function () {
  this.timeout(180_000);
  let window: Window;
  let workspace: string;
  let agent: AgentCaller;
  let api: Server;
  /** The credentials of the requests that the API got. */
  const received: (string | undefined)[] = [];
  before(async () => {
    api = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "application/json" }).end('{"text":"Good morning"}');
    }).listen(0, "localhost");
    await once(api, "listening");
    const { port } = api.address() as AddressInfo;
    workspace = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-agents-")));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    for (const folder of [".vscode", "greeter", "mistaken"]) mkdirSync(join(workspace, folder));
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(SYNTAX_ONLY));
    writeFileSync(join(workspace, "greeter/pack.ts"), source(port));
    writeFileSync(
      join(workspace, "greeter/sandbox.json"),
      JSON.stringify({ answers: [{ request: "GET https://shop.example/offer", body: { text: "Good evening" } }] }),
    );
    writeFileSync(join(workspace, "mistaken/pack.ts"), MISTAKE);
    agent = createAgentCaller();
    const settings = {
      "packAuth.allowLoopback": true,
      "packAuth.userName": "carol",
      "chat.disableAIFeatures": false,
      "chat.tools.global.autoApprove": true,
    };
    window = await openWindow({
      folder: workspace,
      from: "source",
      helper: agent.extension,
      env: agent.env,
      opening: authorSettings(settings),
    });
  });
  after(async () => {
    await window?.close();
    agent?.close();
    api?.close();
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
  });

  const dialog = (text: string | RegExp): Locator => window.page.locator(".monaco-dialog-box", { hasText: text });
  async function answer(question: Locator, button: string, picture: string): Promise<void> {
    await question.waitFor({ timeout: 60_000 });
    await window.screenshot(picture);
    // A press at once is not an answer; see client/agents/person.ts.
    await window.page.waitForTimeout(1_000);
    await window.workbench.press(question.getByRole("button", { name: button, exact: true }));
  }
  /** Signs in at the agent's request, and returns what the agent gets. */
  async function connect(picture: string) {
    const result = agent.call("connect", { pack: "greeter" });
    await answer(dialog("Sign in for the pack greeter?"), "Sign in", picture);
    await window.page.locator(".quick-input-widget").getByText("An agent asked").waitFor({ timeout: 30_000 });
    await window.screenshot(`${picture}-prompt`);
    await window.workbench.type(TOKEN);
    return result;
  }

  it("the tools of the table are registered, and no others of Pack Auth", async () => {
    await window.workbench.open("mistaken/pack.ts");
    await window.workbench.squiggle().waitFor({ timeout: 60_000 });
    const own = (await agent.tools()).filter((name) => name.startsWith("packAuth_"));
    assert.deepEqual(
      own.sort(),
      Object.keys(AGENT_TOOLS)
        .map((name) => `packAuth_${name}`)
        .sort(),
    );
  });

  it("check returns the finding of a mistake with its fix", async () => {
    const result = agent.call("check", { paths: ["mistaken"] });
    // The chat warns once before it approves all calls by itself.
    await window.workbench.press(dialog(/global auto approve/).getByRole("button", { name: "Enable", exact: true }));
    const { findings } = await result;
    assert.deepEqual(
      findings.map(({ rule, path }: { rule: string; path: string }) => [rule, path]),
      [["auth-type-unknown", "mistaken/pack.ts"]],
    );
    assert.equal(findings[0].fixes[0].edits[0].oldText, '"HeaderBearerTokn"');
  });

  it("an unknown target is a failure with the names of the pack", async () => {
    const { failure } = await agent.call("run", { pack: "greeter", target: "Greting" });
    assert.equal(failure.hint.text, "Did you mean Greeting?");
  });

  it("run without an account succeeds in the sandbox, and asks nothing", async () => {
    const result = await agent.call("run", { pack: "greeter", target: "Offer" });
    assert.equal(result.status, "succeeded", JSON.stringify(result));
    assert.equal(result.result.text, '"Good evening"');
    assert.equal(await window.page.locator(".monaco-dialog-box").count(), 0);
  });

  it("a request to a host that is not declared fails with the edit that declares it", async () => {
    const { failure } = await agent.call("run", { pack: "greeter", target: "Rumour" });
    const [{ path, oldText, newText }] = failure.remedies[0].edits;
    assert.deepEqual([path, oldText, newText], ["greeter/pack.ts", "", '\npack.addNetworkDomain("elsewhere.example");']);
  });

  it("a saved run is found and passes as a test", async () => {
    const { savedTest } = await agent.call("run", { pack: "greeter", target: "Offer", saveTest: "greeter/tests" });
    assert.equal(savedTest, "greeter/tests/Offer.packauth.json");
    const { passed, failed } = await agent.call("test");
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 0 });
  });

  it("connect asks the person, who sees the hosts; the agent gets label and state", async () => {
    const result = await connect("agents-1-connect");
    assert.equal(result.status, "connected", JSON.stringify(result));
    assert.equal(result.account.label.text, "carol");
    assert.ok(!JSON.stringify(result).includes(TOKEN));
  });

  it("run with a real account asks although the chat approves calls, and a refusal holds", async () => {
    const result = agent.call("run", { pack: "greeter", target: "Greeting", account: "carol" });
    await answer(dialog(/Let the agent read from localhost/), "Do not allow", "agents-2-read");
    assert.equal((await result).status, "failed", JSON.stringify(await result));
    const again = await agent.call("run", { pack: "greeter", target: "Greeting", account: "carol" });
    assert.match(again.failure.message.text, /the person does not let an agent use the account carol/);
    assert.deepEqual(received, []);
  });

  it("a yes sends one request, and the agent reads its answer without the credential", async () => {
    const connected = await connect("agents-3-second");
    const { id } = connected.account;
    const result = agent.call("run", { pack: "greeter", target: "Greeting", account: id });
    await answer(dialog(/Let the agent read from localhost/), "Allow reading", "agents-4-agree");
    const { status, result: greeting, ...rest } = await result;
    assert.equal(status, "succeeded", JSON.stringify(rest));
    assert.equal(greeting.text, '"Good morning"');
    assert.deepEqual(received, [`Bearer ${TOKEN}`]);
    assert.ok(!JSON.stringify(rest).includes(TOKEN));
  });

  it("the editor lists the command line's MCP server for the folder", async () => {
    const { workbench } = window;
    await workbench.command("MCP: List Servers", workbench.row(/Pack Auth in pack-auth-agents.*command line/));
    await window.screenshot("agents-5-mcp");
    await window.page.keyboard.press("Escape");
  });
});
