// The core of an author's way in the real VS Code, in a folder that is opened through a link, with signs in its name that shells, URLs and
// globs take apart: squiggle, connect, run, refresh on save, from an error to its source, debug.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { packKey } from "../../../platform/accounts/accounts.ts";
import { withLock } from "../../../platform/files/file-lock.ts";
import type { SharedWindow, Window } from "./embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
import { greet } from "../li b#(1)/greeting";
export const pack = coda.newPack();
pack.addNetworkDomain("https://desk.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

pack.addFormula({
  name: "Hello",
  description: "Says hello.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function () {
    return greet();
  },
});
`;
const greeting = (text: string): string => `const text = "${text}";\n\nexport function greet(): string {\n  return text.trim();\n}\n`;
const THROWS = greeting("Hello").replace("  return", `  if (text === "Hello") throw new Error("nobody is there");\n  return`);

/** A folder behind a link, both below that one, and the link. */
export function linkedFolder(base: string): { readonly real: string; readonly link: string } {
  const real = join(base, "deep/down/real");
  mkdirSync(real, { recursive: true });
  const link = join(base, "li nk#%25(@)");
  symlinkSync(real, link);
  return { real, link };
}

export function linkedWorkspace(shared: () => SharedWindow): void {
  let window: Window;
  let helper: string;
  let panel: FrameLocator;
  before(() => {
    const { workspace } = shared();
    ({ window } = shared());
    for (const name of ["src", "li b#(1)"]) mkdirSync(join(workspace, name));
    helper = join(workspace, "li b#(1)/greeting.ts");
    writeFileSync(join(workspace, "src/pack.ts"), PACK);
    writeFileSync(helper, greeting("Hello"));
  });

  const shows = (text: string): Promise<void> => panel.getByTestId("result").getByText(text).waitFor({ timeout: 30_000 });
  /** A line of the helper in the editor. */
  const lineOf = (text: RegExp): Locator =>
    window.page.locator(".monaco-editor[data-uri$='greeting.ts'] .view-line", { hasText: text }).first();
  /** In the helper, which stands left of the panel. */
  async function goTo(line: number, column: number): Promise<void> {
    const { page, workbench } = window;
    const editor = page.locator(".editor-group-container .monaco-editor[data-uri$='greeting.ts']").first();
    const text = editor.locator(".view-line").first();
    await workbench.until(page.locator(".quick-input-widget input"), async () => {
      await text.click({ timeout: 5_000 });
      await page.keyboard.press("Control+G");
    });
    await workbench.type(`:${line}:${column}`);
    await page.locator(".monaco-editor.focused[data-uri$='greeting.ts']").first().waitFor();
  }

  it("a pack behind a link is flagged, connects and runs", async () => {
    const { workbench, page } = window;
    await workbench.open("src/pack.ts");
    await workbench.squiggle().waitFor({ timeout: 60_000 });
    const lens = await workbench.showLens("Connect test account");
    await workbench.until(workbench.row(/Connect with sandbox/), () => lens.click());
    await workbench.pick(/Connect with sandbox/);
    await workbench.toast(/Connected .* to src/).waitFor({ timeout: 30_000 });
    const run = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Hello · / }), () => run.click());
    panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    await shows("Hello");
  });

  it("a saved helper runs the formula again, and an unsaved one is saved first", async () => {
    const { workbench, page } = window;
    await panel.getByTestId("run-on-save").click();
    await workbench.open("greeting.ts");
    await goTo(1, 15);
    await page.keyboard.type("Saved ");
    await page.keyboard.press("Control+S");
    await shows("Saved Hello");
    // The helper is never empty in between: an empty one builds, and the editor may read it.
    writeFileSync(`${helper}.new`, greeting("Written elsewhere"));
    renameSync(`${helper}.new`, helper);
    await shows("Written elsewhere");
    await panel.getByTestId("run-on-save").click();
    await page.getByRole("tab", { name: /^greeting\.ts/ }).click();
    // The editor reads the file again some time after the panel has run it.
    await lineOf(/Written\s+elsewhere/).waitFor();
    await goTo(1, 15);
    await page.keyboard.type("Dirty ");
    // The panel is another frame, which may get the click before the editor has the keys.
    await lineOf(/Dirty\s+Written\s+elsewhere/).waitFor();
    await panel.getByTestId("run").click();
    await shows("Dirty Written elsewhere");
    assert.equal(readFileSync(helper, "utf8"), greeting("Dirty Written elsewhere"));
    await window.screenshot("linked-1-saved");
  });

  it("a run says that a helper could not be saved, because it was changed elsewhere as well", async () => {
    const { workbench, page } = window;
    await goTo(1, 15);
    await page.keyboard.type("Unsaved ");
    await lineOf(/Unsaved\s+Dirty/).waitFor();
    writeFileSync(helper, greeting("Changed elsewhere"));
    await panel.getByTestId("run").click();
    await workbench.toast(/greeting\.ts could not be saved/).waitFor({ timeout: 30_000 });
    assert.equal(readFileSync(helper, "utf8"), greeting("Changed elsewhere"));
    await page.getByRole("tab", { name: /^greeting\.ts/ }).click();
    await workbench.command("File: Revert File", lineOf(/Changed\s+elsewhere/));
    await workbench.clearNotifications();
    await panel.getByTestId("run").click();
    await shows("Changed elsewhere");
  });

  it("a run starts while another process locks the file of the run before", async () => {
    const { workspace } = shared();
    const runs = join(window.dataFolder, "User/globalStorage/pack-auth.pack-auth/runs", `${packKey(join(workspace, "src/pack.ts"))}.json`);
    let unlock = (): void => {};
    const unlocked = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    const locked = withLock(runs, () => unlocked, { patience: 10_000, busy: () => assert.fail("the file stays locked") });
    try {
      for (const text of ["First", "Second"]) {
        writeFileSync(helper, greeting(text));
        await panel.getByTestId("run").click();
        await shows(text);
      }
    } finally {
      unlock();
      await locked;
    }
  });

  it("an error leads to the open file, and a breakpoint stops there", async () => {
    const { workbench, page } = window;
    writeFileSync(helper, THROWS);
    await panel.getByTestId("run").click();
    const frame = panel.getByTestId("frame").first();
    await frame.click({ timeout: 30_000 });
    await page.locator(".monaco-editor.focused[data-uri$='greeting.ts']").first().waitFor();
    const line = THROWS.split("\n").findIndex((text) => text.includes("throw")) + 1;
    await page.getByText(new RegExp(`^Ln ${line}, Col \\d+`)).waitFor({ timeout: 10_000 });
    assert.equal(await page.getByRole("tab", { name: /^greeting\.ts/ }).count(), 1);
    await window.screenshot("linked-2-error");
    writeFileSync(helper, greeting("Fine again"));
    await goTo(4, 1);
    await workbench.command("Debug: Toggle Breakpoint");
    await page.locator("[class*='codicon-debug-breakpoint']").first().waitFor({ timeout: 10_000 });
    await panel.getByTestId("debug").click();
    await page.locator(".debug-top-stack-frame-line").first().waitFor({ timeout: 40_000 });
    assert.equal(await page.getByRole("tab", { name: /^greeting\.ts/ }).count(), 1);
    await window.screenshot("linked-3-breakpoint");
    await workbench.until(panel.getByTestId("result").getByText("Fine again"), () => page.keyboard.press("F5"));
  });
}
