// Words of others in the real VS Code: what an API, a pack and an account's name say of links, commands and pictures is only text.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { root } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

/** Nothing that hurts, and everybody would see it. */
const COMMAND = "command:workbench.action.terminal.new";
const NAME = `$(bug) Eve [profile](${COMMAND}) \u202eevE`;
/** As the editor is to show it. */
const SHOWN = `$ (bug) Eve [profile] (${COMMAND}) \\u202eevE`;

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

describe("words of others in the editor", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  let api: Server;
  let isRefusing = true;
  before(async () => {
    api = createServer((_, response) => {
      const body = isRefusing ? { error: `Your session is over. [Renew it here](${COMMAND})` } : { name: NAME };
      response.writeHead(isRefusing ? 401 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => api.listen(0, "localhost", resolve));
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-words-"));
    mkdirSync(join(workspace, "eve"));
    writeFileSync(join(workspace, "eve/pack.ts"), source((api.address() as AddressInfo).port));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    window = await openWindow({
      folder: workspace,
      from: "source",
      opening(dataFolder) {
        for (const folder of ["User", "Machine"]) mkdirSync(join(dataFolder, folder));
        writeFileSync(join(dataFolder, "Machine/settings.json"), '{"packAuth.allowLoopback": true}');
        writeFileSync(join(dataFolder, "User/keybindings.json"), '[{ "key": "ctrl+alt+n", "command": "packAuth.accounts.rename" }]');
      },
    });
    await window.workbench.open("pack.ts");
  });
  after(async () => {
    await window?.close();
    api.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  /** It shows the words, with no link and no picture in it. */
  async function isOnlyText(shown: Locator, words: string): Promise<void> {
    await shown.waitFor({ timeout: 30_000 });
    const text = (await shown.innerText()).replaceAll(/\s+/g, " ");
    assert.ok(text.includes(words), text);
    assert.equal(await shown.locator("a[href], a[data-href]").count(), 0);
    assert.equal(await shown.locator(".codicon-bug").count(), 0);
  }
  async function connect(): Promise<void> {
    const { workbench, page } = window;
    await workbench.command("Notifications: Clear All Notifications");
    await workbench.command("Pack Auth: Connect test account", workbench.row(/Connect a real account/));
    await workbench.pick(/Connect a real account/);
    await isOnlyText(page.locator(".quick-input-message"), `Your token, [get one] (${COMMAND}) $ (bug)`);
    await workbench.type("token-of-nobody");
    await workbench.pick(/This workspace only/);
  }

  it("a command link in what an API answers is text in the notification, and so is one of a param in its prompt", async () => {
    const { workbench } = window;
    await connect();
    const toast = workbench.toast(/Your session is over/);
    await isOnlyText(toast.locator(".notification-list-item-message"), `[Renew it here] (${COMMAND})`);
    await window.screenshot("foreign-text-1-notification");
  });

  it("a name that an API gives is text in the notification, the view, its tooltip, the list of accounts and over the code", async () => {
    const { workbench, page } = window;
    isRefusing = false;
    await connect();
    await isOnlyText(workbench.toast(/Connected/).locator(".notification-list-item-message"), `Connected ${SHOWN} to eve.`);
    const row = workbench.tree(/Eve/);
    await workbench.command("Pack Auth: Focus on Accounts View", row);
    await isOnlyText(row, SHOWN);
    const tooltip = page.locator(".workbench-hover", { hasText: "Type: Custom" });
    await workbench.until(tooltip, async () => {
      await page.mouse.move(700, 500);
      await row.hover();
    });
    await isOnlyText(tooltip, SHOWN);
    await window.screenshot("foreign-text-2-view");
    await page.mouse.move(700, 500);
    await workbench.command("Notifications: Clear All Notifications");
    await workbench.until(workbench.row(/Eve/), () => page.keyboard.press("Control+Alt+N"));
    await isOnlyText(workbench.row(/Eve/), SHOWN);
    await window.screenshot("foreign-text-3-list");
    await page.keyboard.press("Escape");
    await isOnlyText(await workbench.showLens(/Eve/), SHOWN);
  });

  it("a description in the source is text where the pointer stands", async () => {
    const { workbench, page } = window;
    const name = page.locator(".monaco-editor .view-line span", { hasText: /^"token"$/ }).first();
    const hover = page.locator(".monaco-hover .hover-row", { hasText: "a param of the Custom authentication" });
    await workbench.until(hover, async () => {
      await page.mouse.move(700, 700);
      await name.hover({ timeout: 10_000 });
    });
    await isOnlyText(hover, `asks: Your token, [get one](${COMMAND}) $(bug)`);
    await window.screenshot("foreign-text-4-hover");
  });
});
