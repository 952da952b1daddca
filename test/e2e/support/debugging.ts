// Debugging: the lens starts its own debugger on the pack's process, a breakpoint in the
// author's source is hit with its locals, the console says nothing in red, and going on gives the result.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Window } from "./embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();

pack.addFormula({
  name: "Answer",
  description: "Gives the answer.",
  parameters: [],
  resultType: coda.ValueType.String,
  connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function () {
    const parts = ["forty", "two"];
    const joined = parts.join("-");
    return joined.toUpperCase();
  },
});

pack.addSyncTable({
  name: "Pages",
  identityName: "Page",
  connectionRequirement: coda.ConnectionRequirement.None,
  schema: coda.makeObjectSchema({
    idProperty: "id",
    displayProperty: "id",
    properties: { id: { type: coda.ValueType.Number } },
  }),
  formula: {
    name: "SyncPages",
    description: "Gives two pages.",
    parameters: [],
    execute: async function (args, context) {
      const page = context.sync.continuation === undefined ? 1 : 2;
      debugger;
      return { result: [{ id: page }], ...(page === 1 ? { continuation: { page } } : {}) };
    },
  },
});
`;
/** One-based, as editors count: where \`joined\` has its value. */
const BREAKPOINT = PACK.split("\n").findIndex((line) => line.includes("return joined")) + 1;
/** Milliseconds for which the author looks at the first page. */
const READING_TIME = 1_500;

export function writeDebugPack(workspace: string): void {
  mkdirSync(join(workspace, "answer"));
  writeFileSync(join(workspace, "answer/pack.ts"), PACK);
}

export function debugging(shared: () => { readonly window: Window }): void {
  let window: Window;
  before(() => {
    ({ window } = shared());
  });

  /** What stands in the debug console once an expression is answered. */
  async function consoleLines(): Promise<readonly string[]> {
    const { workbench, page } = window;
    const console = page.locator(".repl");
    await workbench.command("Debug Console: Focus on Debug Console View", console);
    await console.locator(".repl-input-wrapper .monaco-editor").first().click();
    await page.keyboard.type("40 + 2");
    await page.keyboard.press("Enter");
    await console.locator(".repl-tree").getByText("42", { exact: true }).first().waitFor({ timeout: 20_000 });
    await window.screenshot("debug-5-console");
    return console.locator(".repl-tree .monaco-list-row").allInnerTexts();
  }

  it("a breakpoint stops in the source with its locals, and the run continues", async () => {
    const { workbench, page } = window;
    await workbench.closeEditors();
    await workbench.open("answer/pack.ts");
    await workbench.lens("Debug").waitFor({ timeout: 60_000 });
    await page.keyboard.press("Control+G");
    await workbench.type(`:${BREAKPOINT}`);
    await page.locator(".monaco-editor.focused").first().waitFor();
    await workbench.command("Debug: Toggle Breakpoint");
    await page.locator("[class*='codicon-debug-breakpoint']").first().waitFor({ timeout: 10_000 });
    await workbench.until(page.getByRole("tab", { name: /^Answer · / }), () => workbench.lens("Debug").click());
    const stopped = page.locator(".debug-top-stack-frame-line").first();
    await stopped.waitFor({ timeout: 40_000 });
    const joined = page.getByRole("treeitem", { name: /joined/ }).first();
    // The editor opens the scope by itself, mostly; a click on one that it has opened meanwhile would close it.
    const collapsedScope = page.getByRole("treeitem", { name: /Scope Local/, expanded: false }).first();
    await workbench.until(joined, async () => {
      await joined.or(collapsedScope).first().waitFor({ timeout: 20_000 });
      await joined.waitFor({ timeout: 1_000 }).catch(() =>
        collapsedScope
          .locator(".monaco-tl-twistie")
          .click({ timeout: 1_000 })
          .catch(() => {}),
      );
    });
    await window.screenshot("debug-1-stopped");
    await page.locator(".codicon-debug-disconnect").first().waitFor({ timeout: 10_000 });
    assert.match((await joined.textContent()) ?? "", /forty-two/);
    assert.deepEqual(
      (await consoleLines()).filter((line) => /source ?map|could not|error/i.test(line)),
      [],
    );
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]:has-text("Answer")');
    await workbench.until(panel.getByText("FORTY-TWO"), () => page.keyboard.press("F5"));
    await stopped.waitFor({ state: "hidden", timeout: 20_000 });
    // The debugger ends with its run.
    await page.locator(".codicon-debug-disconnect").first().waitFor({ state: "hidden", timeout: 20_000 });
    await window.screenshot("debug-2-result");
  });

  it("a breakpoint stops in each page of a sync table without counting the pauses", async () => {
    const { workbench, page } = window;
    await workbench.open("answer/pack.ts");
    const debugTable = page.locator(".monaco-editor .codelens-decoration a", { hasText: "Debug" }).nth(1);
    await workbench.until(page.getByRole("tab", { name: /^Pages · / }), () => debugTable.click());
    const panel = await workbench.webview('h1:has-text("Pages")');
    const stopped = page.locator(".debug-top-stack-frame-line").first();
    for (const [status, number] of [
      [/^Paused$/, 1],
      [/^Paused · 1 row$/, 2],
    ] as const) {
      await panel.getByTestId("status").filter({ hasText: status }).waitFor({ timeout: 40_000 });
      await stopped.waitFor({ timeout: 20_000 });
      const variable = page.getByRole("treeitem", { name: new RegExp(`^page.*${number}$`) }).first();
      await workbench.until(variable, () => variable.waitFor({ timeout: 5_000 }).catch(() => {}));
      assert.equal(await page.locator(".debug-call-stack .session .name").first().textContent(), "Pages");
      await window.screenshot(`debug-3-page-${number}`);
      if (number === 1) await page.waitForTimeout(READING_TIME);
      await page.keyboard.press("F5");
    }
    const status = panel.getByTestId("status").filter({ hasText: /^OK · 2 rows · \d+ ms, engine \d+ ms$/ });
    await status.waitFor({ timeout: 20_000 });
    const time = Number(/engine (\d+) ms/.exec((await status.textContent()) ?? "")?.[1]);
    assert.ok(time < READING_TIME, `${time} ms`);
    await page.locator(".codicon-debug-disconnect").first().waitFor({ state: "hidden", timeout: 20_000 });
    await window.screenshot("debug-4-rows");
  });
}
