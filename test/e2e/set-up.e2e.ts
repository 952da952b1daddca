// From an empty folder and a cURL command on the clipboard to a formula's result, in the real VS Code, by keyboard alone.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandsBelow } from "../../scripts/processes.ts";
import { openWindow, type Window } from "./support/embedded.ts";
import { filesBelow } from "./support/files-below.ts";
import { type PackageManagers, standInManagers } from "./support/package-managers.ts";

const CANARY = "canary-4f1c9a77d2";
const COMMAND = `curl 'https://api.acme.example/issues?state=open' \\
  -H 'X-Api-Key: ${CANARY}' \\
  -H 'Accept: application/json'`;

describe("Set up authentication", function () {
  this.timeout(180_000);
  let window: Window;
  let workspace: string;
  let managers: PackageManagers;

  before(async () => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-set-up-")));
    managers = standInManagers();
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(managers.settings));
    window = await openWindow({ folder: workspace, from: "source" });
  });

  after(async () => {
    await window.close();
    managers.remove();
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
  });

  const copy = (text: string): Promise<void> => window.page.evaluate((value) => navigator.clipboard.writeText(value), text);

  it("the extension is active in a window without packs, and starts no process", async () => {
    const isActive = (): boolean =>
      filesBelow(window.dataFolder).some(
        (path) => path.endsWith("exthost.log") && readFileSync(path, "utf8").includes("_doActivateExtension pack-auth.pack-auth"),
      );
    while (!isActive()) await window.page.waitForTimeout(200);
    const programs = commandsBelow().filter((command) => /dist\/(?:server|runner|sandbox)\.cjs/.test(command));
    assert.deepEqual(programs, []);
  });

  it("an author gets from an empty folder and a cURL command to a formula's result by keyboard", async () => {
    const { workbench, page } = window;
    await workbench.command("Pack Auth: Focus on Accounts View");
    await copy(COMMAND);
    const keys = page.keyboard;
    const types = workbench.row(/^From what you have/);
    await workbench.until(types, async () => {
      await keys.press("F1");
      await keys.type("Pack Auth: Create a pack");
      await workbench.row(/^Pack Auth: Create a pack/).waitFor({ timeout: 5_000 });
      await keys.press("Enter");
    });
    await keys.press("Enter");
    await workbench.row(/^No\b/).waitFor();
    await keys.press("Enter");
    await workbench.row(/^The cURL command on the clipboard/).waitFor();
    await window.screenshot("set-up-1-evidence");
    await keys.press("Enter");
    const write = workbench.row(/^Write it to pack\.ts/);
    await write.waitFor({ timeout: 60_000 });
    await page.locator(".monaco-diff-editor").waitFor();
    await window.screenshot("set-up-2-review");
    await keys.press("Enter");
    // The API of the command does not exist.
    await workbench.row(/^Connect with the pasted credential/).waitFor({ timeout: 60_000 });
    await window.screenshot("set-up-3-connect");
    await keys.press("ArrowDown");
    await keys.press("Enter");
    await workbench.row(/^Connect with sandbox/).waitFor({ timeout: 60_000 });
    await keys.press("Enter");
    const panel = await workbench.webview('[data-testid="run"]');
    await panel.getByText("echoed").first().waitFor({ timeout: 60_000 });
    await window.screenshot("set-up-4-result");

    const source = readFileSync(join(workspace, "pack.ts"), "utf8");
    assert.match(source, /type: coda\.AuthenticationType\.CustomHeaderToken/);
    assert.match(source, /headerName: "X-Api-Key"/);
    await workbench.command("View: Toggle Problems");
    await page.getByText("No problems have been detected in the workspace.").waitFor({ timeout: 30_000 });
  });

  const EMPTY = 'import * as coda from "@codahq/packs-sdk";\n\nexport const pack = coda.newPack();\n';
  const sourceOf = (name: string): string => readFileSync(join(workspace, name), "utf8");

  /** Writes an empty pack, and starts the command at its lens. */
  async function atLens(name: string): Promise<void> {
    const { workbench } = window;
    writeFileSync(join(workspace, name), EMPTY);
    await workbench.closeEditors();
    await workbench.open(name);
    const lens = await workbench.showLens("Set up authentication from…");
    await workbench.until(workbench.row(/^A provider/), () => lens.click());
  }

  it("a provider is chosen at the lens of an empty pack, and its page says what to register", async () => {
    const { workbench, page } = window;
    await copy("nothing");
    await atLens("hubspot.ts");
    await workbench.pick(/^A provider/);
    await workbench.row(/^Airtable/).waitFor();
    await page.keyboard.type("HubSpot");
    await workbench.pick(/^HubSpot/);
    await window.screenshot("set-up-5-way");
    await workbench.pick(/OAuth/);
    const write = workbench.row(/^Write it to hubspot\.ts/);
    for (let question = 0; question < 5 && !(await write.isVisible()); question++) {
      const row = page.locator(".quick-input-widget").getByRole("option").first();
      await row.or(write).first().waitFor({ timeout: 60_000 });
      if (!(await write.isVisible())) await page.keyboard.press("Enter");
      await page.waitForTimeout(1_500);
    }
    await write.waitFor({ timeout: 60_000 });
    await window.screenshot("set-up-6-provider");
    await page.keyboard.press("Enter");
    const preview = await workbench.webview('h1:text-is("HubSpot")');
    const toast = workbench.toast(/Register http/);
    await toast.waitFor();
    const [, address = ""] = /Register (\S+) at HubSpot/.exec(await toast.innerText()) ?? [];
    // The browser reaches this machine through the editor's forwarding alone, and a sign-in sends it back there.
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/proxy\/\d+\/oauth$/);
    await preview.getByText(address).first().waitFor();
    await window.screenshot("set-up-7-page");
    assert.match(sourceOf("hubspot.ts"), /type: coda\.AuthenticationType\.OAuth2/);
    await page.keyboard.press("Escape");
  });

  it("an authentication that the platform cannot do is explained, and nothing is written", async () => {
    const { workbench } = window;
    await copy(`curl --digest -u ada:${CANARY} https://api.acme.example/issues`);
    await atLens("digest.ts");
    await workbench.pick(/^The cURL command on the clipboard/);
    await workbench.toast(/The API demands HTTP Digest/).waitFor();
    await window.screenshot("set-up-8-impossible");
    assert.equal(sourceOf("digest.ts"), EMPTY);
  });

  it("a command that is cut off is refused with what to do, and a discarded change is not written", async () => {
    const { workbench } = window;
    await copy("curl 'https://api.acme.example/issues");
    await atLens("cut.ts");
    await workbench.pick(/^The cURL command on the clipboard/);
    await workbench.toast(/quot/).waitFor();
    await copy(COMMAND);
    await atLens("cut.ts");
    await workbench.pick(/^The cURL command on the clipboard/);
    await workbench.row(/^Discard it/).waitFor({ timeout: 60_000 });
    await workbench.pick(/^Discard it/);
    await window.page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    assert.equal(sourceOf("cut.ts"), EMPTY);
  });

  it("a pasted secret is in no file, log or state of the editor", async () => {
    const texts = readdirSync(workspace, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.includes("node_modules") && statSync(join(workspace, name)).isFile())
      .map((name) => readFileSync(join(workspace, name), "utf8"));
    for (const text of [...texts, window.serverLog(), await window.stored()]) assert.ok(!text.includes(CANARY));
  });
});
