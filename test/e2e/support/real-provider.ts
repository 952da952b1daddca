// A real provider in the real VS Code: registration, the waiting browser, a pasted address, a changed configuration,
// removal with revocation, and the toolkit's plain-text file. In the same window, words of others and our own (words.ts).
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { browse } from "../../support/browser.ts";
import { type OidcProvider, openOidcProvider } from "../../support/oidc-provider.ts";
import type { SharedWindow, Window } from "./embedded.ts";
import { packOfProvider, signInAtProvider } from "./provider-sign-in.ts";
import { foreignWords } from "./words.ts";

/** In a window whose accounts are named carol, and where a key renames one. */
export function realProvider(shared: () => SharedWindow): void {
  let window: Window;
  let workspace: string;
  let provider: OidcProvider;
  let entry: string;
  before(async () => {
    ({ window, workspace } = shared());
    provider = await openOidcProvider({}, "127.0.0.2");
    mkdirSync(join(workspace, "shop"));
    entry = join(workspace, "shop/pack.ts");
    writeFileSync(entry, packOfProvider(provider, '"orders:read"'));
  });
  after(async () => {
    await provider?.close();
    rmSync(join(workspace, "shop/tests"), { recursive: true, force: true });
  });
  const account = (): Locator => window.workbench.tree(/carol/);
  const showAccount = (): Promise<void> => window.workbench.command("Pack Auth: Focus on Accounts View", account());
  const act = (title: string, expected: Locator): Promise<void> => window.workbench.menu(account(), title, expected);

  it("an account of a real provider is in the tree", async () => {
    await window.workbench.open("shop/pack.ts");
    await signInAtProvider(window, provider);
    await showAccount();
    await window.screenshot("provider-2-tree");
  });

  it("a recording of a real account opens in a tab with Save and Discard", async () => {
    const { workbench, page } = window;
    const file = join(workspace, "shop/tests/Hello.packauth.json");
    const run = async () => {
      await workbench.open("shop/pack.ts");
      const lens = await workbench.showLens(/^ ?Run$/);
      await workbench.until(page.getByRole("tab", { name: /^Hello · / }), () => lens.click());
      return workbench.webview('[data-testid="pack-auth-panel"]');
    };
    const recording = page.getByRole("tab", { name: /^Hello\.jsonc/ });
    const review = async (): Promise<void> => {
      const panel = await run();
      await panel.getByTestId("result").waitFor({ timeout: 30_000 });
      await workbench.until(recording, () => panel.getByTestId("save-test").click());
    };
    await review();
    await page.locator(".view-line", { hasText: "press Save or Discard above" }).waitFor();
    await window.screenshot("provider-recording");
    await page.getByRole("button", { name: "Discard recording" }).click();
    await recording.waitFor({ state: "detached" });
    assert.equal(existsSync(file), false);
    await review();
    await workbench.command("View: Close Editor", workbench.toast(/The recording of carol was closed, and is not saved/));
    await workbench.press(workbench.toast(/was closed, and is not saved/).getByRole("button", { name: "Save" }));
    await workbench.toast(/Saved as shop\/tests\/Hello/).waitFor({ timeout: 20_000 });
    rmSync(file);
    await workbench.clearNotifications();
    await review();
    await page.getByRole("button", { name: "Save recording" }).click();
    await recording.waitFor({ state: "detached" });
    await workbench.toast(/Saved as shop\/tests\/Hello/).waitFor({ timeout: 20_000 });
    assert.equal(existsSync(file), true);
    await workbench.clearNotifications();
  });

  it("a pasted address completes the sign-in of an unreachable browser", async () => {
    const { workbench, context, page } = window;
    await showAccount();
    // A browser that cannot reach the redirect address, as on another machine.
    const isProvider = (url: URL): boolean => url.href.startsWith(provider.authorizationUrl);
    const begun: string[] = [];
    await context.route(isProvider, (route) => {
      begun.push(provider.authorizationUrl + new URL(route.request().url()).search);
      return route.fulfill({ status: 200, contentType: "text/html", body: "This site can't be reached" });
    });
    await act("Sign in again", workbench.row(/Open the browser/));
    const popup = await workbench.popup(() => workbench.pick(/Open the browser/));
    await popup.getByText("This site can't be reached").waitFor();
    await popup.close();
    await context.unroute(isProvider);
    const finalPage = await browse(begun[0] ?? "", "approve", (url) => url.searchParams.has("code") && url.searchParams.has("state"));
    await page.bringToFront();
    await window.screenshot("provider-3-waiting");
    await workbench.pick(/Paste the address/);
    await workbench.type("http://localhost/elsewhere");
    await page
      .locator(".quick-input-widget")
      .getByText(/Paste the address that begins with/)
      .waitFor();
    await window.screenshot("provider-4-paste");
    await workbench.type(finalPage.url);
    await workbench.toast(/Connected carol/).waitFor({ timeout: 30_000 });
  });

  it("a sign-in that waits is replaced by a new one for the same pack, and is cancelled in the status bar", async () => {
    const { workbench, context, page } = window;
    const isProvider = (url: URL): boolean => url.href.startsWith(provider.authorizationUrl);
    await context.route(isProvider, (route) => route.fulfill({ status: 200, contentType: "text/html", body: "Sign in later" }));
    const cancel = page.locator(".statusbar").getByRole("button", { name: "Cancel: Connect shop" });
    for (let times = 0; times < 2; times++) {
      await workbench.clearNotifications();
      await showAccount();
      await act("Sign in again", workbench.row(/Open the browser/));
      const popup = await workbench.popup(() => workbench.pick(/Open the browser/));
      await popup.close();
      await page.bringToFront();
      await workbench.row(/Paste the address/).waitFor();
      await page.keyboard.press("Escape");
      await cancel.waitFor();
    }
    await context.unroute(isProvider);
    await window.screenshot("provider-4-cancel");
    await cancel.click();
    await cancel.waitFor({ state: "detached" });
    await workbench.toast(/Waiting for the browser/).waitFor({ state: "detached", timeout: 10_000 });
  });

  it("an error on the provider's page appears in the editor; the next sign-in registers again", async () => {
    const { workbench, page } = window;
    let client = "";
    provider.provider.once("registration_create.success", (_context, registered) => {
      client = registered.clientId;
    });
    await workbench.clearNotifications();
    await showAccount();
    await act("Sign in again", workbench.row(/Open the browser/));
    await (provider.provider.Client as unknown as { adapter: { destroy(id: string): Promise<void> } }).adapter.destroy(client);
    const errorPage = await workbench.popup(() => workbench.pick(/Open the browser/));
    await errorPage.getByText("client is invalid").waitFor({ timeout: 30_000 });
    await errorPage.close();
    await page.bringToFront();
    await workbench.row(/End the sign-in, and show what to change/).waitFor({ timeout: 30_000 });
    await window.screenshot("provider-5-page-error");
    await workbench.pick(/End the sign-in, and show what to change/);
    await workbench.toast(/it no longer knows the client ID that it registered for this pack/).waitFor({ timeout: 20_000 });
    await workbench.clearNotifications();
    await showAccount();
    await act("Sign in again", workbench.row(/Open the browser/));
    const popup = await workbench.popup(() => workbench.pick(/Open the browser/));
    await popup.getByText("You are signed in").waitFor({ timeout: 30_000 });
    await popup.close();
    await workbench.toast(/Connected carol/).waitFor({ timeout: 30_000 });
  });

  it("auth-spec 9.1: changed scopes ask for a new sign-in and say why", async () => {
    const { workbench } = window;
    writeFileSync(entry, packOfProvider(provider, '"orders:read", "orders:write"'));
    await showAccount();
    await act("Refresh now", workbench.toast(/scopes changed \(\+ orders:write\)/));
    await workbench
      .toast(/scopes changed/)
      .getByRole("button", { name: "Sign in again" })
      .waitFor();
    await window.screenshot("provider-6-changed");
  });

  it("removing the account revokes its tokens", async () => {
    const { workbench, page } = window;
    await workbench.clearNotifications();
    await showAccount();
    await act("Remove", page.locator(".monaco-dialog-box").getByText(/its tokens are revoked at the provider/));
    await window.screenshot("provider-7-remove");
    await workbench.press(page.locator(".monaco-dialog-box").getByRole("button", { name: "Remove" }));
    await workbench.tree(/carol/).waitFor({ state: "detached", timeout: 20_000 });
    assert.ok(provider.requests.includes("POST /token/revocation"));
  });

  it("the toolkit's credentials are imported, and their file is deleted on request", async () => {
    const { workbench } = window;
    const file = join(workspace, "shop/.coda-credentials.json");
    writeFileSync(
      file,
      JSON.stringify({ credentials: { clientId: "id", clientSecret: "the-client-secret", accessToken: "the-access-token" } }),
    );
    await workbench.open("shop/pack.ts");
    const lens = await workbench.showLens("Connect test account");
    await workbench.until(workbench.row(/Import credentials from the SDK/), () => lens.click());
    await workbench.pick(/Import credentials from the SDK/);
    await workbench.toast(/is in the secret store now/).waitFor({ timeout: 30_000 });
    // Toasts move when one of them goes, and a click on one that moves is lost.
    await workbench.toast(/building the pack/).waitFor({ state: "detached", timeout: 20_000 });
    await window.screenshot("provider-7-import");
    await workbench.press(workbench.toast(/is in the secret store now/).getByRole("button", { name: "Delete the file" }));
    await workbench.toast(/is deleted/).waitFor({ timeout: 20_000 });
    assert.ok(!existsSync(file));
    assert.ok(!readFileSync(entry, "utf8").includes("the-access-token"));
  });

  describe("Texts in the editor", () => foreignWords(shared));
}
