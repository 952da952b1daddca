// An agent asks for a real account. The chat approves all calls by itself, and the person is asked nevertheless.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import type { AgentCaller } from "./agent-caller.ts";
import type { SharedWindow, Window } from "./embedded.ts";

/** A pack whose formulas ask this machine at `port`, and two other hosts. */
export const greeter = (port: number): string => `import * as coda from "@codahq/packs-sdk";

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

/** The settings of a person whose chat approves all calls. */
export const AGENT_SETTINGS = {
  "packAuth.allowLoopback": true,
  "packAuth.userName": "carol",
  "chat.disableAIFeatures": false,
  "chat.tools.global.autoApprove": true,
};

const TOKEN = "token-of-nobody";

export function agentConsent(shared: () => SharedWindow & { readonly agent: AgentCaller }): void {
  let window: Window;
  let agent: AgentCaller;
  let api: Server;
  /** The credentials of the requests that the API got. */
  const received: (string | undefined)[] = [];
  before(async () => {
    ({ window, agent } = shared());
    api = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "application/json" }).end('{"text":"Good morning"}');
    }).listen(0, "localhost");
    await once(api, "listening");
    mkdirSync(join(shared().workspace, "greeter"));
    writeFileSync(join(shared().workspace, "greeter/pack.ts"), greeter((api.address() as AddressInfo).port));
  });
  after(() => void api?.close());

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

  it("the chat warns once before it approves all calls by itself", async () => {
    const result = agent.call("check", { paths: ["greeter"] });
    await window.workbench.press(dialog(/global auto approve/).getByRole("button", { name: "Enable", exact: true }));
    assert.deepEqual(
      (await result).findings.map(({ rule }: { rule: string }) => rule),
      ["approval-needed", "url-insecure", "fetch-host-undeclared"],
    );
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
}
