// An author at work between source and panel, in the real VS Code: what a lens and the palette begin.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { canInspect } from "../../platform/spawn-runner.ts";
import { nodeVersions } from "../support/nodes.ts";
import { root } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("desk.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

pack.addFormula({
  name: "Hello",
  description: "Says hello.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "who", description: "Whom.", suggestedValue: "Ada" })],
  resultType: coda.ValueType.String,
  connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function ([who]) {
    debugger;
    return "Hello " + who;
  },
});

pack.addFormula({
  name: "Send",
  description: "Sends a message.",
  isAction: true,
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function ([], context) {
    await context.fetcher.fetch({ method: "POST", url: "https://api.desk.example/send" });
    return "sent";
  },
});
`;

describe("between source and panel in VS Code", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  before(async () => {
    const node = nodeVersions().find(({ path }) => canInspect(path));
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-desk-"));
    mkdirSync(join(workspace, "desk"));
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(join(workspace, "desk/pack.ts"), PACK);
    writeFileSync(
      join(workspace, ".vscode/settings.json"),
      JSON.stringify({ "debug.toolBarLocation": "docked", ...(node === undefined ? {} : { "packAuth.nodePath": node.path }) }),
    );
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    window = await openWindow({ folder: workspace, from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  const panelOf = (name: string): Promise<FrameLocator> => window.workbench.webview(`main:has(h1:text-is("desk ▸ ${name}"))`, 60_000);
  const says = async (panel: FrameLocator, status: RegExp): Promise<void> =>
    panel.getByTestId("status").filter({ hasText: status }).waitFor({ timeout: 40_000 });

  it("runs at once where nothing is missing, by the lens alone", async () => {
    const { workbench, page } = window;
    await workbench.open("pack.ts");
    const lens = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Hello · / }), () => lens.click());
    const panel = await panelOf("Hello");
    await panel.getByTestId("result-table").getByText("Hello Ada").waitFor({ timeout: 40_000 });
    await window.screenshot("desk-1-run-at-once");
  });

  it("debugs from the palette", async () => {
    const { workbench, page } = window;
    await workbench.command("Pack Auth: Debug formula", workbench.row(/^Hello/));
    await workbench.pick(/^Hello/);
    const panel = await panelOf("Hello");
    await says(panel, /^Paused$/);
    await page.locator(".debug-top-stack-frame-line").first().waitFor({ timeout: 20_000 });
    await page.keyboard.press("F5");
    await says(panel, /^OK/);
  });

  it("connects on the way to a run, and leaves a real account's action to the author", async () => {
    const { workbench, page } = window;
    const start = async (): Promise<void> => {
      await workbench.command("Pack Auth: Run formula", workbench.row(/^Send/));
      await workbench.pick(/^Send/);
    };
    await start();
    await workbench.pick(/Connect a real account/);
    await workbench.type("a-token-of-nobody");
    await workbench.pick(/This workspace only/);
    const panel = await panelOf("Send");
    await panel
      .getByTestId("status")
      .getByText(/^Press Run to start this action with the real account/)
      .waitFor({ timeout: 40_000 });
    assert.equal(await panel.getByTestId("tab-history").locator(".count").count(), 0);
    await window.screenshot("desk-2-action");
    await panel.getByTestId("connect").click();
    await workbench.pick(/Connect with sandbox/);
    await workbench.pick(/This workspace only/);
    await panel.getByTestId("account").locator("option:checked", { hasText: "sandbox" }).waitFor({ state: "attached", timeout: 40_000 });
    await workbench.command("Notifications: Clear All Notifications");
    await start();
    await says(panel, /^OK/);
    await page.keyboard.press("Escape");
  });
});
