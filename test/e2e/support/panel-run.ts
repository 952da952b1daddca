// An author at work between source and panel: what a lens and the palette begin, what becomes of the panel when files
// change outside of the editor, and what it refuses.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import type { SharedWindow, Window } from "./embedded.ts";

const WORDS_MODULE = `export const greet = (who: string): string => "Hello " + who;\n`;
const PACK = `import * as coda from "@codahq/packs-sdk";
import { greet } from "./words";
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
    return greet(who);
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

/** As git or a formatter does: past the editor. */
const writer =
  (workspace: string) =>
  (name: string, text: string): void =>
    writeFileSync(join(workspace, "desk", name), text);

export function writeDesk(workspace: string): void {
  mkdirSync(join(workspace, "desk"));
  writer(workspace)("pack.ts", PACK);
  writer(workspace)("words.ts", WORDS_MODULE);
}

export function panelRun(shared: () => SharedWindow): void {
  let window: Window;
  let write: (name: string, text: string) => void;
  before(async () => {
    window = shared().window;
    await window.workbench.closeEditors();
    write = writer(shared().workspace);
  });

  /** From the palette, over the open pack. */
  async function choose(command: "Run formula" | "Debug formula", name: string): Promise<void> {
    const { workbench } = window;
    const formula = new RegExp(`^${name}`);
    await workbench.open("desk/pack.ts");
    await workbench.command(`Pack Auth: ${command}`, workbench.row(formula));
    await workbench.pick(formula);
  }
  const panelOf = (name: string): Promise<FrameLocator> => window.workbench.webview(`main:has(h1:text-is("desk ▸ ${name}"))`, 60_000);
  const says = async (panel: FrameLocator, status: RegExp): Promise<void> =>
    panel.getByTestId("status").filter({ hasText: status }).waitFor({ timeout: 40_000 });

  it("the lens runs a complete form at once", async () => {
    const { workbench, page } = window;
    await workbench.open("desk/pack.ts");
    const lens = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Hello · / }), () => lens.click());
    const panel = await panelOf("Hello");
    await panel.getByTestId("result-table").getByText("Hello Ada").waitFor({ timeout: 40_000 });
    await window.screenshot("desk-1-run-at-once");
  });

  it("a formula can be debugged from the palette", async () => {
    const { workbench, page } = window;
    await choose("Debug formula", "Hello");
    const panel = await panelOf("Hello");
    await says(panel, /^Paused$/);
    await page.locator(".debug-top-stack-frame-line").first().waitFor({ timeout: 20_000 });
    await workbench.until(panel.getByTestId("status").filter({ hasText: /^OK/ }), () => page.keyboard.press("F5"));
  });

  it("a run connects first, and leaves a real account's action to the author", async () => {
    const { workbench, page } = window;
    await choose("Run formula", "Send");
    await workbench.pick(/Connect a real account/);
    await workbench.type("a-token-of-nobody");
    const panel = await panelOf("Send");
    await panel
      .getByTestId("status")
      .getByText(/^Press Run to start this action with the real account/)
      .waitFor({ timeout: 40_000 });
    assert.equal(await panel.getByTestId("tab-history").locator(".count").count(), 0);
    await window.screenshot("desk-2-action");
    await panel.getByTestId("connect").click();
    await workbench.pick(/Connect with sandbox/);
    await panel.getByTestId("account").locator("option:checked", { hasText: "sandbox" }).waitFor({ state: "attached", timeout: 40_000 });
    await workbench.clearNotifications();
    await choose("Run formula", "Send");
    await says(panel, /^OK/);
    await page.keyboard.press("Escape");
  });

  it("broken files keep form and result until they are whole again", async () => {
    await choose("Run formula", "Hello");
    const panel = await panelOf("Hello");
    const [result, broken] = [panel.getByTestId("result-table"), panel.getByTestId("broken")];
    await result.getByText("Hello Ada").waitFor({ timeout: 40_000 });
    await panel.getByTestId("param-who").fill("Grace");
    write("words.ts", "export const greet = (who: string): string => {\n");
    await broken.waitFor({ timeout: 20_000 });
    assert.equal(await result.innerText(), "Hello Ada");
    assert.equal(await panel.getByTestId("param-who").inputValue(), "Grace");
    await window.screenshot("desk-3-broken-outside");
    // A run says so too, and takes nothing away.
    await panel.getByTestId("run").click();
    await says(panel, /^OK/);
    await broken.waitFor();
    assert.equal(await result.innerText(), "Hello Ada");
    write("words.ts", WORDS_MODULE.replace("Hello", "Good morning,"));
    await broken.waitFor({ state: "detached", timeout: 20_000 });
    assert.equal(await result.innerText(), "Hello Ada");
    await panel.getByTestId("run").click();
    await result.getByText("Good morning, Grace").waitFor({ timeout: 40_000 });
    await window.screenshot("desk-4-whole-again");
  });

  it("one panel shows one formula after the other, and pinned panels stay", async () => {
    const { workbench, page } = window;
    const tabs = page.getByRole("tab", { name: / · desk/ });
    const panel = await panelOf("Hello");
    assert.equal(await tabs.count(), 1);
    // The focus is in the panel's group: files open in the other one, since it is locked.
    await panel.getByTestId("param-who").fill("Grace");
    await workbench.open("words.ts");
    await page
      .locator(".editor-group-container.active")
      .getByRole("tab", { name: /words\.ts/ })
      .waitFor({ timeout: 10_000 });
    await panel.getByTestId("run").click();
    await says(panel, /^OK/);
    await window.screenshot("desk-6-not-covered");
    await panel.getByTestId("keep-panel").click();
    await choose("Run formula", "Send");
    await says(await panelOf("Send"), /^OK/);
    assert.equal(await tabs.count(), 2);
    await window.screenshot("desk-7-pinned");
    await choose("Run formula", "Hello");
    await says(await panelOf("Hello"), /^OK/);
    assert.equal(await (await panelOf("Hello")).getByTestId("param-who").inputValue(), "Grace");
    assert.equal(await tabs.count(), 2);
  });
}
