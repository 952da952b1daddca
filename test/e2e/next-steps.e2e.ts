// Failures in the real VS Code, each with its next step at hand: a denied sign-in is tried again, and what is waited for is said meanwhile.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { root } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

const SHOP = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("shop.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
});
`;

describe("failures with their next step", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-next-"));
    cpSync(join(root, "examples/todo-oauth2"), join(workspace, "todo-oauth2"), { recursive: true });
    mkdirSync(join(workspace, "shop"));
    writeFileSync(join(workspace, "shop/pack.ts"), SHOP);
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    window = await openWindow({ folder: workspace, from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  async function start(pack: string, where: RegExp): Promise<void> {
    const { workbench } = window;
    await workbench.command("Notifications: Clear All Notifications");
    await workbench.open(`${pack}/pack.ts`);
    await workbench.showLens("Connect test account");
    await workbench.command("Pack Auth: Connect test account", workbench.row(where));
    await workbench.pick(where);
  }
  async function decide(popup: Page, decision: "Approve" | "Deny", page: RegExp, picture: string): Promise<void> {
    await popup.getByRole("button", { name: decision }).click();
    await popup.getByText(page).waitFor();
    await popup.screenshot({ path: join(root, "test-results", `${picture}.png`) });
    await popup.close();
  }

  it("a denied sign-in is told with the provider's reason, in the browser too, and tried again with a click", async () => {
    const { workbench, page } = window;
    const popup = await workbench.popup(() => start("todo-oauth2", /Connect with sandbox/));
    await window.screenshot("next-1-waiting");
    await decide(popup, "Deny", /The access was denied \(access_denied.*Go back to the editor/, "next-2-denied-page");
    const denied = workbench.toast(/The access was denied/);
    await denied.waitFor({ timeout: 30_000 });
    await window.screenshot("next-3-denied");
    const buttons = await denied.getByRole("button", { name: /^(?:Try again|Open configuration|Copy|Show log)/ }).allInnerTexts();
    assert.deepEqual(buttons, ["Try again", "Open configuration", "Show log"]);
    const second = await workbench.popup(() => denied.getByRole("button", { name: "Try again" }).click());
    await decide(second, "Approve", /You are signed in/, "next-4-signed-in-page");
    await workbench.pick(/This workspace only/);
    await workbench.toast(/Connected alice@todo\.example/).waitFor({ timeout: 30_000 });
    await window.screenshot("next-5-connected");
    assert.equal(await page.locator(".quick-input-widget:visible").count(), 0);
  });

  it("the redirect address is copied from where the client ID is asked for, and the progress says that an answer is waited for", async () => {
    const { workbench, page } = window;
    await start("shop", /Connect a real account/);
    const input = page.locator(".quick-input-widget");
    const asked = input.getByText(/Register the redirect address \S+ there/);
    await asked.waitFor({ timeout: 20_000 });
    // An editor in a browser has its own.
    const [, address = ""] = /redirect address (\S+) there/.exec(await asked.innerText()) ?? [];
    await workbench.toast(/Connect shop: waiting for your answer/).waitFor();
    await window.screenshot("next-6-client-id");
    const copied = page.locator(".statusbar").getByText(`Copied ${address}`);
    await workbench.until(copied, () => input.getByRole("button", { name: /Copy the redirect address/ }).click());
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    await workbench.type("client-of-nobody");
    await input
      .getByText(/Client secret/)
      .first()
      .waitFor();
    await workbench.type("secret-of-nobody");
    await workbench.row(/^Open the browser/).waitFor();
    await workbench.toast(/Connect shop: waiting for your answer/).waitFor();
    await window.screenshot("next-7-redirect");
    await page.keyboard.press("Escape");
    await workbench.toast(/Connect shop/).waitFor({ state: "hidden" });
  });
});
