// What a run showed stands in the real VS Code where the request is made, with a fix; it is gone once it is put right, or forgotten.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import type { SharedWindow, Window } from "./embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");

pack.addFormula({
  name: "Ask",
  description: "Asks a host.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "host", description: "Whom to ask." })],
  resultType: coda.ValueType.String,
  execute: async function ([host], context) {
    const answer = await context.fetcher.fetch({ method: "GET", url: "https://" + host + "/items" });
    return String(answer.status);
  },
});
`;

export function evidence(shared: () => SharedWindow): void {
  let window: Window;
  before(() => {
    const { workspace } = shared();
    ({ window } = shared());
    mkdirSync(join(workspace, "asks"));
    writeFileSync(join(workspace, "asks/pack.ts"), PACK);
  });

  const finding = (): Locator => window.page.locator(".markers-panel .monaco-list-row", { hasText: "seen-host-refused" }).first();

  it("a fact is at the request's line until Forget, and again after the next run", async () => {
    const { workbench, page } = window;
    await workbench.open("asks/pack.ts");
    const run = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Ask · / }), () => run.click());
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    await panel.getByTestId("param-host").fill("api.other.example");
    await panel.getByTestId("run").click();
    await panel.getByTestId("error").waitFor({ timeout: 30_000 });
    await workbench.command("View: Toggle Problems", page.locator(".markers-panel"));
    await finding().waitFor({ timeout: 30_000 });
    assert.match(
      await finding().innerText(),
      /Declare the domain of api\.other\.example with pack\.addNetworkDomain, or correct the URL\./,
    );
    await window.screenshot("evidence-1-seen");
    await workbench.command("Pack Auth: Forget what sign-ins and runs showed", workbench.toast(/forgot what sign-ins and runs showed/));
    await finding().waitFor({ state: "detached", timeout: 15_000 });
    await panel.getByTestId("run").click();
    await finding().waitFor({ timeout: 30_000 });
  });

  it("a fact disappears once its fix is applied", async () => {
    const { workbench, page } = window;
    await finding().dblclick();
    await page.locator(".monaco-editor.focused[data-uri$='pack.ts']").first().waitFor();
    const action = page.getByText("Add network domain other.example", { exact: true });
    for (let attempt = 0; attempt < 5 && !(await action.isVisible()); attempt++) {
      await page.keyboard.press("Control+.");
      await action.waitFor({ timeout: 5_000 }).catch(() => {});
    }
    await action.click();
    await finding().waitFor({ state: "detached", timeout: 15_000 });
    await page.locator(".view-line", { hasText: 'addNetworkDomain("other.example")' }).first().waitFor();
    await window.screenshot("evidence-2-fixed");
    await page.keyboard.press("Control+S");
    await workbench.command("View: Toggle Problems");
  });
}
