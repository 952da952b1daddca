// The core of an author's way in the real VS Code, in a folder that is opened through a link, with signs in its name that shells, URLs and
// globs take apart: squiggle, connect, run, refresh on save, from an error to its source, debug.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { debuggableNode } from "../support/nodes.ts";
import { root } from "../support/packs.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
import { greet } from "../li b#(1)/words";
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
const words = (text: string): string => `const text = "${text}";\n\nexport function greet(): string {\n  return text.trim();\n}\n`;
const THROWS = words("Hello").replace("  return", `  if (text === "Hello") throw new Error("nobody is there");\n  return`);

describe("a workspace behind a link, in VS Code", function () {
  this.timeout(120_000);
  let window: Window;
  let base: string;
  let helper: string;
  let panel: FrameLocator;
  before(async () => {
    const node = await debuggableNode();
    base = mkdtempSync(join(tmpdir(), "pack-auth-linked-"));
    const folder = join(base, "deep/down/real");
    for (const name of [".vscode", "src", "li b#(1)"]) mkdirSync(join(folder, name), { recursive: true });
    helper = join(folder, "li b#(1)/words.ts");
    writeFileSync(join(folder, "src/pack.ts"), PACK);
    writeFileSync(helper, words("Hello"));
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(
      join(folder, ".vscode/settings.json"),
      JSON.stringify({
        ...SYNTAX_ONLY,
        "debug.toolBarLocation": "docked",
        ...(node === undefined ? {} : { "packAuth.nodePath": node.path }),
      }),
    );
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const opened = join(base, "li nk#%25(@)");
    symlinkSync(folder, opened);
    window = await openWindow({ folder: opened, from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(base, { recursive: true, force: true });
  });

  const shows = (text: string): Promise<void> => panel.getByTestId("result").getByText(text).waitFor({ timeout: 30_000 });
  /** In the helper, which stands left of the panel. */
  async function goTo(line: number, column: number): Promise<void> {
    const { page, workbench } = window;
    const editor = page.locator(".editor-group-container .monaco-editor[data-uri$='words.ts']").first();
    const text = editor.locator(".view-line").first();
    await workbench.until(page.locator(".quick-input-widget input"), async () => {
      await text.click({ timeout: 5_000 });
      await page.keyboard.press("Control+G");
    });
    await workbench.type(`:${line}:${column}`);
    await page.locator(".monaco-editor.focused[data-uri$='words.ts']").first().waitFor();
  }

  it("flags a mistake, connects, and runs", async () => {
    const { workbench, page } = window;
    await workbench.open("pack.ts");
    await workbench.squiggle().waitFor({ timeout: 60_000 });
    const lens = await workbench.showLens("Connect test account");
    await workbench.until(workbench.row(/Connect with sandbox/), () => lens.click());
    await workbench.pick(/Connect with sandbox/);
    await workbench.pick(/This workspace only/);
    await workbench.toast(/Connected/).waitFor({ timeout: 30_000 });
    const run = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Hello · / }), () => run.click());
    panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    await shows("Hello");
  });

  it("runs anew when a helper is saved, here or by another program, and saves one that is not before it runs", async () => {
    const { workbench, page } = window;
    await panel.getByTestId("run-on-save").click();
    await workbench.open("words.ts");
    await goTo(1, 15);
    await page.keyboard.type("Saved ");
    await page.keyboard.press("Control+S");
    await shows("Saved Hello");
    writeFileSync(helper, words("Written elsewhere"));
    await shows("Written elsewhere");
    await panel.getByTestId("run-on-save").click();
    await page.getByRole("tab", { name: /^words\.ts/ }).click();
    await goTo(1, 15);
    await page.keyboard.type("Dirty ");
    await panel.getByTestId("run").click();
    await shows("Dirty Written elsewhere");
    assert.equal(readFileSync(helper, "utf8"), words("Dirty Written elsewhere"));
    await window.screenshot("linked-1-saved");
  });

  it("leads from an error to the file that is open, and stops there at a breakpoint", async () => {
    const { workbench, page } = window;
    writeFileSync(helper, THROWS);
    await panel.getByTestId("run").click();
    const frame = panel.getByTestId("frame").first();
    await frame.click({ timeout: 30_000 });
    await page.locator(".monaco-editor.focused[data-uri$='words.ts']").first().waitFor();
    const line = THROWS.split("\n").findIndex((text) => text.includes("throw")) + 1;
    await page.getByText(new RegExp(`^Ln ${line}, Col \\d+`)).waitFor({ timeout: 10_000 });
    assert.equal(await page.getByRole("tab", { name: /^words\.ts/ }).count(), 1);
    await window.screenshot("linked-2-error");
    writeFileSync(helper, words("Fine again"));
    await goTo(4, 1);
    await workbench.command("Debug: Toggle Breakpoint");
    await page.locator("[class*='codicon-debug-breakpoint']").first().waitFor({ timeout: 10_000 });
    await panel.getByTestId("debug").click();
    await page.locator(".debug-top-stack-frame-line").first().waitFor({ timeout: 40_000 });
    assert.equal(await page.getByRole("tab", { name: /^words\.ts/ }).count(), 1);
    await window.screenshot("linked-3-breakpoint");
    await workbench.until(panel.getByTestId("result").getByText("Fine again"), () => page.keyboard.press("F5"));
  });
});
