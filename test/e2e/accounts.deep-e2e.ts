// Accounts in the real VS Code: the sign-ins of the specification one after the other, expiry, two accounts, and a
// configuration that changed since.
import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { type FakeOp, fakeOp } from "../support/fake-op.ts";
import { root } from "../support/packs.ts";
import { authorSettings } from "./support/author-settings.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";

const BASIC = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("shop.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.WebBasic,
  uxConfig: { placeholderUsername: "Shop number", placeholderPassword: "Shop key" },
});

pack.addFormula({
  name: "Price",
  description: "Asks for a price.",
  parameters: [],
  resultType: coda.ValueType.Number,
  execute: async function (args, context) {
    const answer = await context.fetcher.fetch({ method: "GET", url: "https://shop.example/price" });
    return answer.body.price;
  },
});
`;

const SYSTEM = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("shop.example");

pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`;

const refusedAt = (port: number): string => `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("localhost");

pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken,
  getConnectionName: async function (context) {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "http://localhost:${port}/me" });
    return body.name;
  },
});
`;

const teamAt = (port: number): string => `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("localhost");

pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

pack.addFormula({
  name: "Greet",
  description: "Greets.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function ([], context) {
    const answer = await context.fetcher.fetch({ method: "GET", url: "http://localhost:${port}/" });
    return answer.body;
  },
});
`;

const teamFile = (token: string): string =>
  JSON.stringify({ version: 1, accounts: [{ label: "team-alice", secrets: { token } }] }, null, 1);

const CANARY = "canary-of-the-editor-5d20";

const OAUTH2 = `type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",`;

const KEYS = [
  { key: "ctrl+alt+n", command: "packAuth.accounts.rename" },
  { key: "ctrl+alt+x", command: "packAuth.sandbox.expireNow" },
];

describe("Accounts in VS Code", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  let refusing: Server;
  let greeting: Server;
  let op: FakeOp;
  const received: unknown[] = [];
  const pathOf = (pack: string): string => join(workspace, pack, "pack.ts");
  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-accounts-"));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(
      join(workspace, ".vscode/settings.json"),
      JSON.stringify({ ...SYNTAX_ONLY, "packAuth.onePasswordProgram": join(workspace, "op") }),
    );
    for (const example of ["todo-oauth2", "crm-set-endpoint", "custom-placeholders"])
      cpSync(join(root, "examples", example), join(workspace, example), { recursive: true });
    mkdirSync(join(workspace, "shop-basic"));
    writeFileSync(pathOf("shop-basic"), BASIC);
    mkdirSync(join(workspace, "shop-system"));
    writeFileSync(pathOf("shop-system"), SYSTEM);
    mkdirSync(join(workspace, "shop-later"));
    writeFileSync(pathOf("shop-later"), BASIC);
    refusing = createServer((_, response) => response.writeHead(401).end()).listen(0, "localhost");
    await once(refusing, "listening");
    mkdirSync(join(workspace, "shop-refusing"));
    writeFileSync(pathOf("shop-refusing"), refusedAt((refusing.address() as AddressInfo).port));
    greeting = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.setHeader("content-type", "application/json").end('"Good morning"');
    }).listen(0, "localhost");
    await once(greeting, "listening");
    mkdirSync(join(workspace, "team"));
    writeFileSync(pathOf("team"), teamAt((greeting.address() as AddressInfo).port));
    writeFileSync(join(workspace, "team/packauth.accounts.json"), teamFile("op://vault/team/token"));
    op = fakeOp(`process.stdout.write(${JSON.stringify(CANARY)});`);
    const settings = { "packAuth.allowLoopback": true, "packAuth.onePasswordProgram": op.path };
    window = await openWindow({ folder: workspace, from: "source", opening: authorSettings(settings, KEYS) });
    await window.workbench.open("todo-oauth2/pack.ts");
    await window.workbench.showLens("Connect test account");
  });
  after(async () => {
    await window?.close();
    refusing?.close();
    greeting?.close();
    op?.remove();
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
  });

  /** From the palette, over the open pack: where to connect. */
  async function start(pack: string, where: RegExp): Promise<void> {
    const { workbench } = window;
    await workbench.clearNotifications();
    await workbench.open(`${pack}/pack.ts`);
    await workbench.command("Pack Auth: Connect test account", workbench.row(where));
    await workbench.pick(where);
  }
  const expired = (): Locator => window.page.locator(".statusbar").getByText("The sandbox's access tokens have expired.");
  async function approve(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("You are signed in").waitFor();
    await page.close();
  }
  async function panel(name: string): Promise<FrameLocator> {
    return window.workbench.webview(`[data-testid="pack-auth-panel"]:has-text("${name}") [data-testid="run"]`);
  }
  async function openPanel(pack: string, name: string): Promise<FrameLocator> {
    const { workbench } = window;
    await workbench.open(`${pack}/pack.ts`);
    const formula = new RegExp(`^${name}`);
    await workbench.command("Pack Auth: Run formula", workbench.row(formula));
    await workbench.pick(formula);
    return panel(name);
  }

  // Before a panel parts the editors in two: lenses are those of the only one.
  it("auth-spec 1 system-wide, 4 pack.setSystemAuthentication: the button for system authentication saves the credentials, and replaces them later", async () => {
    const { workbench } = window;
    await workbench.clearNotifications();
    await workbench.open("shop-system/pack.ts");
    const button = await workbench.showLens("Add system authentication");
    await window.screenshot("accounts-7-system");
    await workbench.until(workbench.row(/Connect a real account/), () => button.click());
    await workbench.pick(/Connect a real account/);
    await workbench.type("system-token-of-nobody");
    await workbench.toast(/Saved, not checked: the pack has no getConnectionName\. shop-system/).waitFor({ timeout: 30_000 });
    await workbench.showLens("Replace system authentication");
  });

  it("an account of the account file has a lens over the authentication", async () => {
    const { workbench } = window;
    await workbench.open("team/pack.ts");
    await workbench.showLens("team-alice (packauth.accounts.json)");
    await window.screenshot("accounts-15-lens-of-team");
  });

  it("auth-spec 5.5.4, 9.1: the button for client ID and secret appears with OAuth2 until they are entered", async () => {
    const { workbench, page } = window;
    await workbench.clearNotifications();
    await workbench.open("shop-later/pack.ts");
    await workbench.showLens("Connect test account");
    const button = workbench.lens("Add OAuth credentials");
    assert.equal(await button.count(), 0);
    writeFileSync(pathOf("shop-later"), BASIC.replace(/type: [^}]*\},/, OAUTH2));
    await workbench.showLens("Add OAuth credentials");
    await window.screenshot("accounts-8-oauth-credentials");
    await workbench.until(page.locator(".quick-input-widget").getByText(/client ID/i), () => button.click());
    await workbench.type("client-of-nobody");
    await page
      .locator(".quick-input-widget")
      .getByText(/secret/i)
      .first()
      .waitFor({ timeout: 10_000 });
    await workbench.type("secret-of-nobody");
    await workbench.toast(/Connect an account to try the OAuth credentials of shop-later\. They are stored/).waitFor({ timeout: 30_000 });
    await page.locator(".monaco-editor .view-line").nth(3).click();
    await button.waitFor({ state: "detached", timeout: 20_000 });
  });

  it("auth-spec 5.7.5: OAuth2 with SetEndpoint lets the user choose a site, whose name becomes the label", async () => {
    const { workbench } = window;
    const popup = await workbench.popup(() => start("crm-set-endpoint", /Connect with sandbox/));
    await approve(popup);
    await workbench.pick(/^Globex/);
    await workbench.toast(/Connected alice \(Globex\)/).waitFor({ timeout: 30_000 });
    const run = await openPanel("crm-set-endpoint", "Contact");
    await run.getByTestId("run").click();
    await run.getByTestId("result-table").getByText("bob@globex.example").waitFor({ timeout: 30_000 });
    await window.screenshot("accounts-1-set-endpoint");
  });

  it("auth-spec 1 step 3: sharing an account with every workspace asks first, and unsharing does not", async () => {
    const { workbench, page } = window;
    const account = workbench.tree(/alice \(Globex\)/);
    const dialog = page.locator(".monaco-dialog-box");
    await workbench.clearNotifications();
    await workbench.command("Pack Auth: Focus on Accounts View", account);
    await workbench.menu(account, "Change sharing", dialog);
    await dialog.getByText(/Share the account alice \(Globex\) with every workspace\?/).waitFor();
    await window.screenshot("accounts-10-share");
    await workbench.press(dialog.getByRole("button", { name: "Cancel" }));
    await dialog.waitFor({ state: "detached" });
    await workbench.menu(account, "Change sharing", dialog);
    await workbench.until(workbench.toast(/may now be used in every workspace/), () =>
      dialog.getByRole("button", { name: "Share" }).click(),
    );
    // The view is drawn anew, and a menu that is open then closes.
    await account.filter({ hasText: "every workspace" }).waitFor();
    await workbench.menu(account, "Change sharing", workbench.toast(/may now be used in this workspace only/));
    assert.equal(await dialog.count(), 0);
  });

  it("auth-spec 5.3 uxConfig: the prompts of WebBasic have the labels of uxConfig", async () => {
    const { workbench, page } = window;
    await start("shop-basic", /Connect a real account/);
    const input = page.locator(".quick-input-widget");
    await input.getByText("Shop number").first().waitFor({ timeout: 10_000 });
    await workbench.type("42");
    await input.getByText("Shop key").first().waitFor({ timeout: 10_000 });
    await window.screenshot("accounts-2-basic");
    await workbench.type("shop-key-of-nobody");
    const savedToast = workbench.toast(/Saved, not checked: the pack has no getConnectionName\. shop-basic/);
    await savedToast.waitFor({ timeout: 30_000 });
    await window.screenshot("accounts-11-not-checked");
    // What tries it instead is at hand.
    await savedToast.getByRole("button", { name: "Run Price" }).waitFor();
    await window.screenshot("accounts-12-run-with-it");
  });

  it("a refused token leads to the sign-in again, not to a formula", async () => {
    const { workbench, page } = window;
    await start("shop-refusing", /Connect a real account/);
    await workbench.type("token-of-nobody");
    await workbench.row(/Try again/).waitFor();
    await workbench.pick(/Keep it/);
    const savedToast = workbench.toast(/Saved, but refused: the API answered getConnectionName with 401/);
    await savedToast.waitFor({ timeout: 30_000 });
    await window.screenshot("accounts-13-refused");
    assert.equal(await savedToast.getByRole("button", { name: /^Run/ }).count(), 0);
    const input = page.locator(".quick-input-widget").getByText(/Connect shop-refusing/);
    await workbench.until(input.first(), () => savedToast.getByRole("button", { name: "Sign in again" }).click());
    await page.keyboard.press("Escape");
    await workbench.clearNotifications();
  });

  it("auth-spec 5.4.1: Custom prompts for each param with its description, and Back leads to the previous one", async () => {
    const { workbench, page } = window;
    await start("custom-placeholders", /Connect a real account/);
    const source = readFileSync(pathOf("custom-placeholders"), "utf8");
    const descriptions = [...source.matchAll(/name: "[^"]+", description: "([^"]+)"/g)].map(([, text]) => text ?? "");
    const params = descriptions.slice(0, source.match(/params: \[[^\]]*\]/)?.[0].match(/description/g)?.length);
    const input = page.locator(".quick-input-widget");
    const asks = (text: string | RegExp) => input.getByText(text).first().waitFor({ timeout: 10_000 });
    const [first = "", second = ""] = params;
    await asks(first);
    await workbench.type("value-of-nobody");
    await asks(second);
    await window.screenshot("accounts-14-back");
    await input.getByRole("button", { name: "Back" }).click();
    await asks(first);
    assert.equal(await input.locator("input[type=password]").inputValue(), "value-of-nobody");
    await window.screenshot("accounts-15-gone-back");
    // Over the first question, to where the sign-in was begun.
    await input.getByRole("button", { name: "Back" }).click();
    await workbench.row(/Connect with sandbox/).waitFor();
    await workbench.pick(/Connect a real account/);
    for (const description of params) {
      await asks(description);
      await workbench.type("value-of-nobody");
    }
    await page.keyboard.press("Escape");
    await workbench.clearNotifications();
  });

  it("auth-spec 5.5.7: an expired token is refreshed without a message", async () => {
    const { workbench, page } = window;
    const popup = await workbench.popup(() => start("todo-oauth2", /Connect with sandbox/));
    await approve(popup);
    await workbench.toast(/Connected alice@todo\.example/).waitFor({ timeout: 30_000 });
    const pack = page.getByRole("tree", { name: /Sandbox/ }).getByRole("treeitem", { name: /todo-oauth2/ });
    await workbench.command("Pack Auth: Focus on Sandbox View", pack);
    await workbench.until(expired(), async () => {
      await pack.hover();
      await pack.getByRole("button", { name: /expire now/ }).click();
    });
    await window.screenshot("accounts-4-sandbox-view");
    // It runs at once: nothing is missing in its form.
    const run = await openPanel("todo-oauth2", "GetTask");
    await run.getByTestId("result-table").getByText("Buy milk").waitFor({ timeout: 30_000 });
    await run.getByTestId("tab-requests").click();
    await run.getByTestId("request-row").first().waitFor();
    assert.deepEqual(await run.getByTestId("request-row").locator(".status").allInnerTexts(), ["401", "200"]);
  });

  it("auth-spec 1 step 4, 1 step 5: a run uses the chosen one of two accounts", async () => {
    const { workbench } = window;
    const popup = await workbench.popup(() => start("crm-set-endpoint", /Connect with sandbox/));
    await approve(popup);
    await workbench.pick(/^Acme/);
    await workbench.toast(/Connected alice \(Acme\)/).waitFor({ timeout: 30_000 });
    const run = await openPanel("crm-set-endpoint", "Contact");
    for (const [label, email] of [
      ["alice (Acme) (sandbox)", "bob@acme.example"],
      ["alice (Globex) (sandbox)", "bob@globex.example"],
    ] as const) {
      await run.getByTestId("account").selectOption({ label });
      await run.getByTestId("run").click();
      await run.getByTestId("result-table").getByText(email).waitFor({ timeout: 30_000 });
    }
    await window.screenshot("accounts-5-two");
  });

  it("an action invoked by a key asks for its account or its sandbox pack", async () => {
    const { workbench, page } = window;
    // From within the panel: a webview that has had the focus may take it back from what is asked next.
    const run = await openPanel("todo-oauth2", "GetTask");
    await run.getByTestId("run").focus();
    await workbench.until(workbench.row(/alice \(Acme\)/), () => page.keyboard.press("Control+Alt+N"));
    await window.screenshot("accounts-9-which");
    await workbench.pick(/alice \(Acme\)/);
    // The box writes the label that it has over whatever was typed before.
    const box = page.locator(".quick-input-widget .quick-input-box input");
    while ((await box.inputValue()) !== "alice (Acme)") await page.waitForTimeout(100);
    await workbench.type("The one of Acme");
    await workbench.command("Pack Auth: Focus on Accounts View", workbench.tree(/The one of Acme/));
    await workbench.until(workbench.row(/todo-oauth2/), () => page.keyboard.press("Control+Alt+X"));
    await workbench.pick(/todo-oauth2/);
    await expired().waitFor();
  });

  it("an account of the account file is shown apart, and asks before its first use and after a change", async () => {
    const { workbench, page } = window;
    const dialog = page.locator(".monaco-dialog-box");
    const account = workbench.tree(/team-alice/);
    await workbench.clearNotifications();
    await workbench.command("Pack Auth: Focus on Accounts View", account);
    await account.filter({ hasText: "from packauth.accounts.json, not stored · nobody accepted its references" }).waitFor();
    // Its form is complete, so that it runs at once.
    const run = await openPanel("team", "Greet");
    for (const line of ["token: op://vault/team/token", "Their values go to: localhost"])
      await dialog.filter({ hasText: line }).waitFor({ timeout: 30_000 });
    await window.screenshot("accounts-16-references");
    assert.deepEqual([op.calls().length, received.length], [0, 0]);
    await workbench.press(dialog.getByRole("button", { name: "Cancel" }));
    await run
      .getByTestId("error")
      .getByText(/nobody accepted that/)
      .first()
      .waitFor({ timeout: 30_000 });
    assert.deepEqual([op.calls().length, received.length], [0, 0]);
    await run.getByTestId("run").click();
    await workbench.press(dialog.getByRole("button", { name: "Accept" }));
    await run.getByTestId("result-table").getByText("Good morning").waitFor({ timeout: 30_000 });
    assert.deepEqual(received, [`Bearer ${CANARY}`]);
    assert.deepEqual(
      op.calls().map(({ args }) => args),
      [["read", "--no-newline", "op://vault/team/token"]],
    );
    await account.filter({ hasText: "not stored · accepted" }).waitFor();
    await run.getByTestId("run").click();
    await run.getByTestId("result-table").getByText("Good morning").waitFor({ timeout: 30_000 });
    while (received.length < 2) await page.waitForTimeout(100);
    assert.equal(await dialog.count(), 0);
    // The run in view is saved, which nobody may do without reading it: its account is a real one.
    const recording = page.getByRole("tab", { name: /^Greet\.jsonc/ });
    await workbench.until(recording, () => run.getByTestId("save-test").click());
    await page.getByRole("button", { name: "Discard recording" }).click();
    await recording.waitFor({ state: "detached" });
    assert.deepEqual([op.calls().length, received.length], [2, 2]);
    writeFileSync(join(workspace, "team/packauth.accounts.json"), teamFile("op://vault/bank/token"));
    await account.filter({ hasText: "nobody accepted its references" }).waitFor();
    await run.getByTestId("run").click();
    await dialog.filter({ hasText: "Something changed since your last yes" }).waitFor({ timeout: 30_000 });
    await workbench.press(dialog.getByRole("button", { name: "Cancel" }));
    await run
      .getByTestId("error")
      .getByText(/nobody accepted that/)
      .first()
      .waitFor({ timeout: 30_000 });
    assert.deepEqual([op.calls().length, received.length], [2, 2]);
    for (const text of [await window.stored(), window.serverLog(), await window.report()]) assert.ok(!text.includes(CANARY));
  });

  it("a literal secret in an account file is replaced by a quick fix", async () => {
    const { workbench, page } = window;
    const file = join(workspace, "team/packauth.accounts.json");
    writeFileSync(file, teamFile("ghp_literal_secret"));
    await workbench.open("team/packauth.accounts.json");
    const fix = page.getByText("Replace the secret by env:PACK_AUTH_TEAM_ALICE_TOKEN");
    await workbench.squiggle().first().waitFor({ timeout: 30_000 });
    await workbench.until(fix, async () => {
      await page.locator(".monaco-editor .view-line").getByText("ghp_literal_secret").first().click();
      await page.keyboard.press("Control+.");
    });
    await window.screenshot("accounts-17-literal");
    await fix.click();
    await page.keyboard.press("Control+S");
    while (readFileSync(file, "utf8") !== teamFile("env:PACK_AUTH_TEAM_ALICE_TOKEN")) await page.waitForTimeout(100);
  });

  it("auth-spec 9.1: a changed configuration asks for a new sign-in and says why", async () => {
    const { workbench } = window;
    const entry = pathOf("todo-oauth2");
    writeFileSync(entry, readFileSync(entry, "utf8").replace('"tasks:write"', '"tasks:write", "tasks:delete"'));
    const run = await openPanel("todo-oauth2", "GetTask");
    await run.getByTestId("run").click();
    await run
      .getByTestId("error")
      .getByText(/scopes changed.*takes effect after the next build/)
      .first()
      .waitFor({ timeout: 30_000 });
    await workbench.open("todo-oauth2/pack.ts");
    await workbench.showLens("Sign in again");
    await window.screenshot("accounts-6-again");
  });
});
