// Errors of runs in the real VS Code, each with what helps as a button: a switch of the sandbox is reset, a network domain is added.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { root } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("things.example");

pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

const ask = async (context: coda.ExecutionContext, url: string) => {
  const response = await context.fetcher.fetch({ method: "GET", url });
  return response.body.name;
};

pack.addFormula({
  name: "Here",
  description: "Asks the API.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function (args, context) {
    return ask(context, "https://api.things.example/thing");
  },
});

pack.addFormula({
  name: "Elsewhere",
  description: "Asks another API.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function (args, context) {
    return ask(context, "https://api.elsewhere.example/thing");
  },
});
`;

const ANSWERS = {
  answers: [
    { request: "GET https://api.things.example/thing", body: { name: "A thing from here" } },
    { request: "GET https://api.elsewhere.example/thing", body: { name: "A thing from elsewhere" } },
  ],
};

describe("errors of runs with what helps", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-remedies-"));
    mkdirSync(join(workspace, "things"));
    writeFileSync(join(workspace, "things/pack.ts"), PACK);
    writeFileSync(join(workspace, "things/sandbox.json"), JSON.stringify(ANSWERS));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    window = await openWindow({ folder: workspace, from: "source" });
    const { workbench } = window;
    await workbench.open("pack.ts");
    await workbench.showLens("Connect test account");
    await workbench.command("Pack Auth: Connect test account", workbench.row(/Connect with sandbox/));
    await workbench.pick(/Connect with sandbox/);
    await workbench.pick(/This workspace only/);
    await workbench.toast(/Connected Sandbox user/).waitFor({ timeout: 30_000 });
    await window.screenshot("remedies-1-connected");
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  async function runFormula(name: string): Promise<FrameLocator> {
    const { workbench } = window;
    await workbench.command("Notifications: Clear All Notifications");
    await workbench.open("pack.ts");
    const formula = new RegExp(`^${name}`);
    await workbench.command("Pack Auth: Run formula", workbench.row(formula));
    await workbench.pick(formula);
    const panel = await workbench.webview(`main:has(h1:text-is("things ▸ ${name}")) [data-testid="run"]`);
    await panel.getByTestId("error").waitFor({ timeout: 30_000 });
    return panel;
  }

  it("a sandbox that was told to refuse: its switch is reset with a click", async () => {
    const { workbench, page } = window;
    const api = page.getByRole("tree", { name: /Sandbox/ }).getByRole("treeitem", { name: /^API/ });
    await workbench.command("Pack Auth: Focus on Sandbox View", api);
    await workbench.until(workbench.row(/refuses: 429/), () => api.click());
    await workbench.pick(/refuses: 429/);
    await api.filter({ hasText: "refuses: 429" }).waitFor();
    const panel = await runFormula("Here");
    const reset = panel.getByTestId("error").getByRole("button", { name: "Reset the switch" });
    await reset.waitFor();
    await window.screenshot("remedies-2-refused");
    await workbench.until(api.filter({ hasText: "works" }), () => reset.click());
    await panel.getByTestId("run").click();
    await panel.getByText("A thing from here").first().waitFor({ timeout: 30_000 });
  });

  it("a host that is not declared: its network domain is added with a click, and the next run goes there", async () => {
    const { workbench, page } = window;
    const panel = await runFormula("Elsewhere");
    const add = panel.getByTestId("error").getByRole("button", { name: "Add network domain" });
    await add.waitFor();
    await window.screenshot("remedies-3-undeclared");
    const added = page.locator(".view-line").getByText('pack.addNetworkDomain("elsewhere.example");');
    await workbench.until(added, () => add.click());
    await window.screenshot("remedies-4-added");
    await workbench.until(panel.getByText("A thing from elsewhere").first(), () => panel.getByTestId("run").click());
    await window.screenshot("remedies-5-declared");
  });
});
