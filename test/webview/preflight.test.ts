// The page "Ready for upload?" in a real browser: its lines and buttons, its messages, and what a keyboard and a screen reader meet.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import type { FromPreflightPage, PreflightReport, ToPreflightPage } from "../../protocol/preflight.ts";
import { DARK, HIGH_CONTRAST, LIGHT } from "../support/themes.ts";
import { openWebview, releaseBrowser, type WebviewPage } from "../support/webview-page.ts";

const location = { path: "/packs/shop/pack.ts", line: 40, character: 2 };
const REPORT: PreflightReport = {
  entry: "/packs/shop/pack.ts",
  isReady: false,
  lines: [
    {
      topic: "validation",
      verdict: "will-be-rejected",
      text: "formulas[0].name: <b>Invalid</b> name",
      location,
    },
    { topic: "approval", verdict: "needs-approval", text: "Ask the platform.", location, action: { kind: "openApprovalForm" } },
    {
      topic: "redirect-address",
      verdict: "differs-there",
      text: `Register https://docs.superhuman.com/${"x".repeat(200)} as well.`,
      action: { kind: "copy", text: "https://docs.superhuman.com" },
    },
    {
      topic: "formulas",
      verdict: "never-tried",
      text: "Read never ran here.",
      action: { kind: "run", runnable: { kind: "formula", name: "Read" } },
    },
    { topic: "credentials", verdict: "differs-there", text: "Enter the client ID.", action: { kind: "sendClientCredentials" } },
    { topic: "saved-tests", verdict: "fits", text: "The saved test passes." },
  ],
};

describe("The page Ready for upload?", function () {
  this.timeout(60_000);
  let webview: WebviewPage;
  let page: Page;
  const open = async (options: Parameters<typeof openWebview>[1] = {}): Promise<void> => {
    webview = await openWebview("preflight", { width: 600, ...options });
    ({ page } = webview);
  };
  beforeEach(() => open());
  afterEach(() => webview.close());
  after(releaseBrowser);
  const send = (message: ToPreflightPage): Promise<void> => webview.post(message);
  const show = (report: PreflightReport = REPORT): Promise<void> => send({ type: "report", pack: "shop", report });
  const posted = async (): Promise<readonly FromPreflightPage[]> => (await webview.posted()) as readonly FromPreflightPage[];

  it("lines stand below their verdict, the most serious first, and text from outside is no markup", async () => {
    await show();
    assert.deepEqual(await page.getByRole("heading", { level: 2 }).allTextContents(), [
      "The upload rejects it",
      "Needs approval",
      "Differs there",
      "Never tried",
      "Fits",
    ]);
    assert.equal(await page.locator("b").count(), 0);
    assert.equal(await page.getByTestId("will-be-rejected").getByTestId("line").count(), 1);
    assert.equal(
      await page.getByRole("status").textContent(),
      "The upload rejects 1, 1 needs approval, 2 differs there, 1 never tried, 1 fits.",
    );
  });

  it("each line has its source and one button, which post the number of the line", async () => {
    await show();
    await page.getByRole("button", { name: "pack.ts:41" }).first().click();
    await page.getByRole("button", { name: "Open the form" }).click();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("button", { name: "Send the client ID and secret" }).click();
    assert.deepEqual(await posted(), [
      { type: "ready" },
      { type: "openSource", line: 0 },
      { type: "act", line: 1 },
      { type: "act", line: 2 },
      { type: "act", line: 3 },
      { type: "act", line: 4 },
    ]);
  });

  it("a check shows its step and Cancel, by keyboard too, and keeps the former report", async () => {
    await show();
    await page.getByRole("button", { name: "Check again" }).focus();
    await page.keyboard.press("Enter");
    await send({ type: "checking", pack: "shop", step: "Running the saved tests" });
    assert.equal(await page.getByRole("status").textContent(), "Running the saved tests…");
    assert.equal(await page.getByTestId("line").count(), 6);
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Cancel");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    assert.deepEqual((await posted()).slice(1), [{ type: "check" }, { type: "cancel" }, { type: "cancel" }]);
    await send({ type: "ended", pack: "shop", text: "The check was stopped." });
    assert.equal(await page.getByRole("status").textContent(), "The check was stopped.");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Check again");
  });

  it("Upload is offered only if nothing will be rejected, and not during a check", async () => {
    await show();
    assert.equal(await page.getByTestId("upload").count(), 0);
    await show({ ...REPORT, isReady: true, lines: REPORT.lines.slice(1) });
    await page.getByTestId("upload").click();
    assert.deepEqual((await posted()).at(-1), { type: "upload" });
    await send({ type: "checking", pack: "shop", step: "Building the pack" });
    assert.equal(await page.getByTestId("upload").count(), 0);
  });

  it("a page of 300 pixels cuts nothing", async () => {
    await webview.close();
    await open({ width: 300 });
    await show();
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 300);
    const cut = await page
      .locator("main *")
      .evaluateAll((elements) =>
        elements
          .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
          .map((each) => each.outerHTML.slice(0, 80)),
      );
    assert.deepEqual(cut, []);
  });

  it("each theme has enough contrast, and a screen reader meets named parts (WCAG 2.2 AA)", async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const each of [DARK, LIGHT, HIGH_CONTRAST]) {
      await webview.close();
      await open({ theme: each });
      await show();
      await page.evaluate(axe);
      const violations = (await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))",
      )) as unknown;
      assert.deepEqual(violations, [], each.classes);
    }
  });
});
