// Agents in the real VS Code: an agent checks a pack, and runs and tests it in the sandbox. agent-consent.ts has what it asks for.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { AGENT_TOOLS } from "../../../agents/agent-tools.ts";
import type { AgentCaller } from "./agent-caller.ts";
import { greeter } from "./agent-consent.ts";
import type { SharedWindow, Window } from "./embedded.ts";

const MISTAKE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({ type: "HeaderBearerTokn" });
`;

export function agents(shared: () => SharedWindow & { readonly agent: AgentCaller }): void {
  let window: Window;
  let agent: AgentCaller;
  before(() => {
    const { workspace } = shared();
    ({ window, agent } = shared());
    for (const folder of ["greeter", "typo"]) mkdirSync(join(workspace, folder));
    writeFileSync(join(workspace, "greeter/pack.ts"), greeter(0));
    writeFileSync(
      join(workspace, "greeter/sandbox.json"),
      JSON.stringify({ answers: [{ request: "GET https://shop.example/offer", body: { text: "Good evening" } }] }),
    );
    writeFileSync(join(workspace, "typo/pack.ts"), MISTAKE);
  });
  after(() => rmSync(join(shared().workspace, "greeter/tests"), { recursive: true, force: true }));

  const dialog = (text: string | RegExp): Locator => window.page.locator(".monaco-dialog-box", { hasText: text });

  it("the tools of the table are registered, and no others of Pack Auth", async () => {
    await window.workbench.open("typo/pack.ts");
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
    const result = agent.call("check", { paths: ["typo"] });
    // The chat warns once before it approves all calls by itself.
    await window.workbench.press(dialog(/global auto approve/).getByRole("button", { name: "Enable", exact: true }));
    const { findings } = await result;
    assert.deepEqual(
      findings.map(({ rule, path }: { rule: string; path: string }) => [rule, path]),
      [["auth-type-unknown", "typo/pack.ts"]],
    );
    assert.equal(findings[0].fixes[0].edits[0].oldText, '"HeaderBearerTokn"');
  });

  it("an unknown target is a failure with the names of the pack", async () => {
    const { failure } = await agent.call("run", { pack: "greeter", target: "Greting" });
    assert.equal(failure.hint, "Did you mean Greeting?");
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

  it("the editor lists the command line's MCP server for the folder", async () => {
    const { workbench } = window;
    await workbench.command("MCP: List Servers", workbench.row(/Pack Auth in pack-auth-packs.*command line/));
    await window.screenshot("agents-1-mcp");
    await window.page.keyboard.press("Escape");
  });
}
