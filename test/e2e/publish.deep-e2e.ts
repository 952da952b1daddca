// After the last line of a pack, in the real VS Code: ready for upload, the upload, drift, and what the published pack's logs show.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWithToolkit } from "../../platform/upload/toolkit-build.ts";
import { callProgram, storedIn } from "../support/call-cli.ts";
import { installToolkit, root } from "../support/packs.ts";
import { type PublicApiStandIn, STAND_IN, startPublicApi } from "../support/public-api.ts";
import { thrownStack } from "../support/thrown-stacks.ts";
import { authorSettings } from "./support/author-settings.ts";
import { openWindow, SYNTAX_ONLY, type Window } from "./support/embedded.ts";
import { handOverOfClient } from "./support/hand-over.ts";
import {
  correctRejectedPack,
  currentLine,
  FORMER,
  INVALID,
  lineOf,
  PACK,
  preflightPage,
  UPLOADED,
  uploadFromPage,
} from "./support/publishing.ts";

describe("After the last line", function () {
  this.timeout(150_000);
  let window: Window;
  let workspace: string;
  /** The user's data that the editor and the command line share. */
  let home: string;
  let api: PublicApiStandIn;
  let entry: string;

  /** Log entries of two connections. The stack is mapped: positions in a bundle depend on the folder that it was built in. */
  function logs(stack: string) {
    const context = (minutes: number, more: object = {}) => ({
      docId: STAND_IN.docId,
      packId: String(STAND_IN.packId),
      packVersion: UPLOADED,
      formulaName: "GetOrder",
      userId: "user-1",
      connectionId: "c-1",
      connectionName: "alice",
      requestId: `r-${minutes}`,
      requestType: "invokeSyncFormulaRequest" as const,
      createdAt: new Date(Date.now() - minutes * 60_000).toISOString(),
      logId: `log-${minutes}`,
      detailsKey: `details-${minutes}`,
      ...more,
    });
    const message = "The order has no lines.";
    return [
      { type: "invocation" as const, context: context(1, { formulaName: "Total" }), duration: 12, error: { message, stack } },
      {
        type: "fetcher" as const,
        context: context(2),
        method: "GET" as const,
        baseUrl: "https://api.shop.example/order",
        responseCode: 429,
        duration: 80,
      },
      {
        type: "invocation" as const,
        context: context(3, { formulaName: "Total", packVersion: FORMER }),
        error: { message: "It failed in the former version.", stack },
      },
      {
        type: "auth" as const,
        context: context(4, { formulaName: "", connectionId: "c-2", connectionName: "bob" }),
        path: "/oauth2/token",
        errorMessage: 'The token endpoint answers 401: {"error":"invalid_client"}',
      },
    ];
  }

  before(async () => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-publish-")));
    home = mkdtempSync(join(tmpdir(), "pack-auth-publish-home-"));
    installToolkit(workspace);
    mkdirSync(join(workspace, "shop"));
    entry = join(workspace, "shop/pack.ts");
    writeFileSync(join(workspace, "shop/.coda-pack.json"), JSON.stringify({ packId: STAND_IN.packId }));
    writeFileSync(entry, PACK);
    const build = await buildWithToolkit(entry, { program: join(root, "dist/toolkit-build.cjs") });
    assert.ok(build !== undefined);
    writeFileSync(entry, INVALID);
    api = await startPublicApi({
      versions: [{ packVersion: FORMER }],
      oauthConfig: {
        authorizationUrl: "https://login.shop.example/authorize",
        tokenUrl: "https://login.shop.example/token",
        clientId: "client-of-shop-abcd",
        scopes: "orders.read",
      },
      logs: logs(thrownStack(build, "Total", "translated")),
      faults: { unknownLogTypes: true },
    });
    // The editor reads the system's certificates in place of those that Node trusts, which include the stand-in's.
    const opening = authorSettings({ ...SYNTAX_ONLY, "http.systemCertificates": false, "packAuth.allowLoopback": true });
    window = await openWindow({
      folder: workspace,
      from: "source",
      env: { ...api.env, NO_PROXY: "127.0.0.2", PACK_AUTH_HOME: home },
      opening,
    });
  });

  after(async () => {
    await window?.close();
    await api?.close();
    for (const folder of [workspace, home]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const clear = (): Promise<void> => window.workbench.clearNotifications();

  it("a pack that would be rejected is corrected on the page, and uploaded", async () => {
    await window.workbench.open("shop/pack.ts");
    await correctRejectedPack(window, entry);
    await uploadFromPage(window, api);
  });

  it("each button of the page is reached with Tab, and nothing is cut", async () => {
    const { page } = window;
    const preflight = await preflightPage(window);
    const buttons = await preflight.getByRole("button").allInnerTexts();
    assert.ok(buttons.length > 4, buttons.join());
    await preflight.getByTestId("check").focus();
    const reached: string[] = [];
    for (const _ of buttons) {
      reached.push(await preflight.locator(":focus").innerText());
      await page.keyboard.press("Tab");
    }
    assert.deepEqual(reached, buttons);
    const root = preflight.locator("html");
    assert.ok(await root.evaluate((element) => element.scrollWidth <= element.clientWidth));
  });

  it("the source is compared with the published pack", async () => {
    const { workbench, page } = window;
    await clear();
    await workbench.open("shop/pack.ts");
    const drift = workbench.toast(
      "The published pack has client ID ••••abcd and scopes orders.read; this source has orders.read orders.write.",
    );
    await workbench.command("Pack Auth: Compare with the published pack", drift);
    await window.screenshot("publish-7-drift");
    await drift.getByRole("button", { name: "Show differences" }).click();
    await page.locator(".monaco-diff-editor .view-line", { hasText: "scopes: orders.read orders.write" }).waitFor();
    await window.screenshot("publish-8-differences");
    await workbench.command("View: Close Editor");
  });

  it("the logs of a doc stand below their connections, and a click opens the line that threw", async () => {
    const { workbench, page } = window;
    await clear();
    await workbench.open("shop/pack.ts");
    await workbench.command("Pack Auth: Show production logs", page.locator(".quick-input-widget").getByText(/The address of a doc/));
    await workbench.type(`https://coda.io/d/Orders_d${api.docId}`);
    const failure = workbench.tree(/^Failed, invocation, The order has no lines/);
    await failure.waitFor({ timeout: 30_000 });
    const accounts = page.getByRole("button", { name: "Accounts Section" });
    await workbench.until(workbench.tree(/quantumLog/), () => accounts.click());
    await workbench.tree(/^bob, 1 entry/).waitFor();
    await window.screenshot("publish-9-logs");
    await workbench.until(currentLine(window, lineOf("throw new Error")), () => failure.click());
    await workbench.until(workbench.toast(/Pack Auth uploaded no version 1\.0\.0 from here/), () =>
      workbench.tree(/It failed in the former version/).click(),
    );
    await currentLine(window, lineOf('name: "Total"') - 1).waitFor();
    await window.screenshot("publish-10-place");
  });

  it("the command line finds the line that threw with the source map of the editor's upload", async () => {
    const env = { ...storedIn(home), ...api.env, NO_PROXY: "127.0.0.2", PACK_AUTH_API_TOKEN: api.token };
    const { out, err } = await callProgram(["logs", join(workspace, "shop"), "--doc", `https://coda.io/d/Orders_d${api.docId}`], { env });
    assert.ok(out.includes(`pack.ts:${lineOf("throw new Error")}:`), out + err);
  });

  it("a sign-in that fails for users is explained, and stands in the source", async () => {
    const { workbench, page } = window;
    await clear();
    await workbench.menu(workbench.tree(/^Failed, authentication/), "Explain", workbench.toast(/client/i));
    await window.screenshot("publish-11-explained");
    await clear();
    await workbench.open("shop/pack.ts");
    const finding = page.locator(".markers-panel").getByText(/The sign-in of version 1\.1\.0 has failed since/);
    await workbench.command("View: Toggle Problems", finding);
    await page.locator(".markers-panel").getByText("seen-published-sign-in").first().waitFor();
    await window.screenshot("publish-12-finding");
    await workbench.command("View: Hide Panel");
  });

  it("the sandbox answers as the platform's log says after As a bad day, and the formula runs", async () => {
    const { workbench, page } = window;
    await clear();
    // A dialog of the editor asks whether to open the sandbox's page, or a question waits for the sign-in there.
    const opening = page.locator(".monaco-dialog-box, .quick-input-widget:visible");
    const signIn = await workbench.popup(() => workbench.menu(workbench.tree(/^Failed, request, 429 · GET/), "As a bad day", opening));
    await signIn.getByRole("button", { name: "Approve" }).click();
    await signIn.getByText("You are signed in").waitFor();
    await signIn.close();
    await workbench.toast(/The sandbox of shop now fails as the log says/).waitFor({ timeout: 30_000 });
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]:has-text("GetOrder") [data-testid="error"]');
    await panel.getByTestId("error").getByText(/429/).first().waitFor();
    await window.screenshot("publish-13-bad-day");
  });

  describe("The hand-over of a client", () => handOverOfClient(() => ({ window, workspace, api })));
});
