// Words in the editor. Those of others: what an API, a pack and an account's name say of links, commands and pictures is only text.
// Our own at a mistake: the hover with its fix, the link to the rule's page, the quick-fix menu, and configurations as ghost text.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import type { SharedWindow, Window } from "./embedded.ts";

/** Nothing that hurts, and everybody would see it. */
const COMMAND = "command:workbench.action.terminal.new";
const NAME = `$(bug) Eve [profile](${COMMAND}) \u202eevE`;
/** As the editor is to show it. */
const DISPLAYED_NAME = `$ (bug) Eve [profile] (${COMMAND}) \\u202eevE`;

const source = (port: number): string => `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("localhost");

pack.setUserAuthentication({
  type: coda.AuthenticationType.Custom,
  params: [{ name: "token", description: "Your token, [get one](${COMMAND}) $(bug)" }],
  getConnectionName: async (context) => {
    const url = "http://localhost:${port}/me";
    const response = await context.fetcher.fetch({ method: "GET", url, headers: { "X-Token": \`{{token-\${context.invocationToken}}}\` } });
    return response.body.name;
  },
});
`;

/** What is to be flagged: the name of a field. */
const MISTAKE = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("acme.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken,
  instructionUrl: "https://acme.example/help",
});
`;

export function foreignWords(shared: () => SharedWindow): void {
  let window: Window;
  let api: Server;
  let isRefusing = true;
  before(async () => {
    api = createServer((_, response) => {
      const body = isRefusing ? { error: `Your session is over. [Renew it here](${COMMAND})` } : { name: NAME };
      response.writeHead(isRefusing ? 401 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => api.listen(0, "localhost", resolve));
    const { workspace } = shared();
    ({ window } = shared());
    mkdirSync(join(workspace, "eve"));
    mkdirSync(join(workspace, "mistake"));
    writeFileSync(join(workspace, "mistake/pack.ts"), MISTAKE);
    writeFileSync(join(workspace, "mistake/fix.ts"), MISTAKE.replace("});", "  getConnectionName: 1,\n});"));
    writeFileSync(join(workspace, "mistake/empty.ts"), MISTAKE.slice(0, MISTAKE.indexOf("pack.setUser")));
    writeFileSync(join(workspace, "eve/pack.ts"), source((api.address() as AddressInfo).port));
    await window.workbench.closeEditors();
    await window.workbench.open("eve/pack.ts");
  });
  after(() => void api?.close());

  /** It shows the words, with no link and no picture in it. What a pointer shows goes when its view is drawn anew: then it is shown anew. */
  async function isOnlyText(locator: Locator, expectedText: string, show = () => locator.waitFor({ timeout: 30_000 })): Promise<void> {
    let content: { text: string; links: number; pictures: number } | undefined;
    do {
      await show();
      [content] = await locator.evaluateAll((elements) =>
        elements.map((element) => ({
          text: (element as HTMLElement).innerText.replaceAll(/\s+/g, " "),
          links: element.querySelectorAll("a[href], a[data-href]").length,
          pictures: element.querySelectorAll(".codicon-bug").length,
        })),
      );
    } while (content === undefined);
    assert.ok(content.text.includes(expectedText), content.text);
    assert.deepEqual([content.links, content.pictures], [0, 0]);
  }
  async function connect(): Promise<void> {
    const { workbench, page } = window;
    await workbench.clearNotifications();
    await workbench.command("Pack Auth: Connect test account", workbench.row(/Connect a real account/));
    await workbench.pick(/Connect a real account/);
    await isOnlyText(page.locator(".quick-input-message"), `Your token, [get one] (${COMMAND}) $ (bug)`);
    await workbench.type("token-of-nobody");
    if (isRefusing) await workbench.pick(/Keep it/);
  }

  it("a placeholder in a template is coloured and does not unbalance the brackets", async () => {
    const { page } = window;
    const line = page.locator(".monaco-editor .view-line", { hasText: "{{token-" });
    await line.locator("span span", { hasText: /^token$/ }).waitFor({ timeout: 30_000 });
    await line.locator("[class*='bracket-highlighting-']").first().waitFor({ timeout: 30_000 });
    // Brackets are paired anew as lines get their colours.
    await page.locator(".monaco-editor .unexpected-closing-bracket").first().waitFor({ state: "detached", timeout: 20_000 });
  });

  it("a command link in an API's answer or a param's prompt is plain text", async () => {
    const { workbench } = window;
    await connect();
    const toast = workbench.toast(/Your session is over/);
    await isOnlyText(toast.locator(".notification-list-item-message"), `[Renew it here] (${COMMAND})`);
    await window.screenshot("foreign-text-1-notification");
  });

  it("a name from an API is plain text in notification, view, tooltip, list and lens", async () => {
    const { workbench, page } = window;
    isRefusing = false;
    await connect();
    await isOnlyText(workbench.toast(/Connected/).locator(".notification-list-item-message"), `Connected ${DISPLAYED_NAME} to eve.`);
    const row = workbench.tree(/Eve/);
    await workbench.command("Pack Auth: Focus on Accounts View", row);
    await isOnlyText(row, DISPLAYED_NAME);
    const tooltip = page.locator(".workbench-hover", { hasText: "Type: Custom" });
    await isOnlyText(tooltip, DISPLAYED_NAME, () =>
      workbench.until(tooltip, async () => {
        await page.mouse.move(700, 500);
        await row.hover();
      }),
    );
    await window.screenshot("foreign-text-2-view");
    await page.mouse.move(700, 500);
    await workbench.clearNotifications();
    await workbench.until(workbench.row(/Eve/), () => page.keyboard.press("Control+Alt+N"));
    await isOnlyText(workbench.row(/Eve/), DISPLAYED_NAME);
    await window.screenshot("foreign-text-3-list");
    await page.keyboard.press("Escape");
    await isOnlyText(await workbench.showLens(/Eve/), DISPLAYED_NAME);
  });

  it("a description in the source is plain text in the hover", async () => {
    const { workbench, page } = window;
    const name = page.locator(".monaco-editor .view-line span", { hasText: /^"token"$/ }).first();
    const hover = page.locator(".monaco-hover .hover-row", { hasText: "a param of the Custom authentication" });
    await isOnlyText(hover, `asks: Your token, [get one](${COMMAND}) $(bug)`, () =>
      workbench.until(hover, async () => {
        await page.mouse.move(700, 700);
        await name.hover({ timeout: 10_000 });
      }),
    );
    await window.screenshot("foreign-text-4-hover");
  });

  it("a finding shows its fix and its rule's page in hover and menu", async () => {
    const { workbench, page } = window;
    await workbench.open("mistake/pack.ts");
    await workbench.squiggle().waitFor({ timeout: 60_000 });
    // Without TypeScript's own colours, a name and its colon are one piece.
    const name = page.locator(".monaco-editor .view-line span", { hasText: /^\s*instructionUrl:?$/ }).first();
    const hover = page.locator(".monaco-hover:not(.hidden)").first();
    const link = hover.locator("a.code-link", { hasText: "field-unknown" });
    const hovered = async (): Promise<void> => {
      await page.mouse.move(700, 700);
      await name.hover({ timeout: 5_000 });
    };
    await workbench.until(hover.getByText("Quick Fix..."), hovered);
    await window.screenshot("mistake-1-hover");
    assert.equal(await hover.getByText("No quick fixes available").count(), 0);
    const tab = page.getByRole("tab", { name: /field-unknown\.md/ });
    await workbench.until(tab, async () => {
      if (!(await link.isVisible())) await hovered();
      await link.click({ timeout: 5_000 });
    });
    const rendered = await workbench.webview("h1", 60_000);
    await rendered.getByRole("heading", { name: "field-unknown", level: 1 }).waitFor({ timeout: 20_000 });
    await window.screenshot("mistake-2-page");
    assert.doesNotMatch(await rendered.locator("body").innerText(), /Generated by|auth-spec/);
    await workbench.command("View: Close Editor");
    await tab.waitFor({ state: "hidden", timeout: 20_000 });
    const entry = page.locator(".action-widget .monaco-list-row", { hasText: "Show documentation for field-unknown" });
    const showMenu = (): Promise<void> =>
      workbench.until(entry, async () => {
        await name.click({ timeout: 5_000 });
        // Shown once every server has answered; before that, news of one of them closes what was asked for.
        await page.locator(".lightBulbWidget").first().waitFor({ timeout: 20_000 });
        await page.keyboard.press("Control+.");
      });
    await showMenu();
    await window.screenshot("mistake-3-menu");
    for (const title of ["Rename to instructionsUrl", "Disable field-unknown for this line", "Disable field-unknown for this file"])
      assert.equal(await page.locator(".action-widget .monaco-list-row", { hasText: title }).count(), 1, title);
    await workbench.until(tab, async () => {
      if (!(await entry.isVisible())) await showMenu();
      await entry.click({ timeout: 5_000 });
    });
  });

  it("Fix all reports what is left, and what to do without an open pack", async () => {
    const { workbench, page } = window;
    await workbench.command("Pack Auth: Fix all", workbench.toast("Open a file of a pack first"));
    await workbench.open("fix.ts");
    await workbench.command("Pack Auth: Fix all", workbench.toast("1 fixed, 1 needs you"));
    await window.screenshot("mistake-4-fixed");
    await page.locator(".monaco-editor .view-line", { hasText: "instructionsUrl" }).first().waitFor({ timeout: 20_000 });
    await workbench.clearNotifications();
    await workbench.command("File: Save");
  });

  it("an empty call gets whole configurations as ghost text, which only Tab accepts", async () => {
    const { workbench, page } = window;
    await workbench.open("empty.ts");
    const editor = page.locator(".editor-group-container.active .monaco-editor");
    const ghost = editor.locator(".ghost-text, .ghost-text-decoration").first();
    await workbench.until(ghost, async () => {
      await editor.locator(".view-line").last().click({ timeout: 5_000 });
      await page.keyboard.press("Control+End");
      await page.keyboard.type("pack.setUserAuthentication({");
    });
    await window.screenshot("configuration-1-ghost");
    await page.keyboard.press("Enter");
    await page.locator(".part.statusbar").getByText("Ln 8, Col").first().waitFor({ timeout: 20_000 });
    await ghost.waitFor({ timeout: 20_000 });
    await window.screenshot("configuration-2-enter");
    const rows = page.locator(".suggest-widget .monaco-list-row");
    await workbench.until(rows.filter({ hasText: "HeaderBearerToken configuration" }), () => page.keyboard.press("Control+Space"));
    await page.keyboard.type("type");
    const field = page.locator(".suggest-widget .monaco-list-row .label-name", { hasText: /^type$/ });
    await field.first().waitFor({ timeout: 20_000 });
    await window.screenshot("configuration-3-list");
    assert.equal(await field.count(), 1);
    await page.keyboard.press("Escape");
    await workbench.until(ghost, () => page.keyboard.press("Control+Backspace"));
    await page.keyboard.press("Tab");
    await ghost.waitFor({ state: "hidden", timeout: 20_000 });
    await window.screenshot("configuration-4-taken");
    await page
      .locator(".monaco-editor .view-line", { hasText: "type: coda.AuthenticationType.HeaderBearerToken," })
      .waitFor({ timeout: 20_000 });
  });
}
