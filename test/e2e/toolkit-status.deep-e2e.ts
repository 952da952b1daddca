// The toolkit of a pack in the real VS Code: which one decides is in the language's status, and where there is none, one press installs it
// in a terminal: in the status, on the squiggle, at the error. In the same window, packs that take long to build (support/which-formula.ts).
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installToolkit, root } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";
import { type PackageManagers, standInManagers } from "./support/package-managers.ts";
import { whichFormula, writeSlowPacks } from "./support/which-formula.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async () => "Hello.",
});
`;

const AUTHENTICATION = `pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "a b" });
`;

describe("The toolkit of a pack", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  let managers: PackageManagers;
  before(async () => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-status-")));
    for (const name of ["with", "status", "squiggle", "error"]) {
      mkdirSync(join(workspace, name));
      writeFileSync(join(workspace, name, `${name}-pack.ts`), PACK);
      writeFileSync(join(workspace, name, "package.json"), "{}");
    }
    installToolkit(join(workspace, "with"));
    writeFileSync(join(workspace, "with/account-pack.ts"), PACK.replace("pack.add", `${AUTHENTICATION}pack.add`));
    mkdirSync(join(workspace, "node_modules/.bin"), { recursive: true });
    const commandLine = join(workspace, "node_modules/.bin/pack-auth");
    writeFileSync(commandLine, `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli.cjs")}" "$@"\n`, { mode: 0o755 });
    writeFileSync(join(workspace, "squiggle/pnpm-lock.yaml"), "");
    writeFileSync(join(workspace, "error/package.json"), '{ "packageManager": "yarn@4.1.0" }');
    writeFileSync(join(workspace, "error/offline"), "");
    writeFileSync(join(workspace, "readme.ts"), "export const nothing = 1;\n");
    writeSlowPacks(join(workspace, "palette"));
    managers = standInManagers();
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(managers.settings));
    window = await openWindow({ folder: workspace, from: "source" });
  });
  after(async () => {
    await window?.close();
    managers?.remove();
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
  });

  const entry = () => window.page.locator(".hover-language-status");

  /** The status of a file's language, while the pointer is on it. */
  async function shows(file: string, text: string): Promise<void> {
    const { workbench, page } = window;
    await workbench.open(file);
    for (let attempt = 0; ; attempt++) {
      await page.mouse.move(300, 300);
      await page.locator("#status\\.languageStatus").first().hover({ timeout: 20_000 });
      try {
        await entry().getByText(text).first().waitFor({ timeout: 3_000 });
        return;
      } catch (error) {
        if (attempt >= 10) throw error;
      }
    }
  }

  /** What the package managers were asked in the folder. */
  function commandsIn(folder: string): readonly string[] {
    const prefix = `${join(workspace, folder)}$ `;
    return managers.calls().flatMap((call) => (call.startsWith(prefix) ? [call.slice(prefix.length)] : []));
  }

  /** Presses until a package manager is asked there: a busy editor closes a hover or a menu now and then while the button is down. */
  async function untilCommand(folder: string, press: () => Promise<void>): Promise<void> {
    for (let attempt = 0; attempt < 3 && commandsIn(folder).length === 0; attempt++) {
      await press();
      for (let waited = 0; waited < 100 && commandsIn(folder).length === 0; waited++) await window.page.waitForTimeout(200);
    }
  }

  /** The same, once the last installation is done. */
  async function installedIn(folder: string): Promise<readonly string[]> {
    await window.workbench.toast("The Packs SDK is installed.").waitFor({ timeout: 30_000 });
    await window.workbench.clearNotifications();
    return commandsIn(folder);
  }

  it("the status shows the SDK's version for packs and nothing for other files", async () => {
    const { workbench, page } = window;
    await shows("with-pack.ts", "Packs SDK 1.");
    await window.screenshot("toolkit-status");
    await workbench.open("readme.ts");
    const status = page.locator("#status\\.languageStatus");
    const modelStatus = entry().getByText("built-in model");
    // What was shown for the file before goes in a moment.
    for (let attempt = 0; attempt < 10; attempt++) {
      await page.mouse.move(300, 300);
      await page.waitForTimeout(1_000);
      if (await status.count())
        await status
          .first()
          .hover({ timeout: 5_000 })
          .catch(() => {});
      if ((await modelStatus.count()) === 0) break;
    }
    assert.equal(await modelStatus.count(), 0);
  });

  it("the pack's accounts are in the status, and Run is beside its tab", async () => {
    const { workbench, page } = window;
    await shows("account-pack.ts", "No test account");
    await entry().getByText("Connect", { exact: true }).first().waitFor();
    await window.screenshot("accounts-status");
    const run = page.locator(".editor-actions").getByRole("button", { name: /^Run formula/ });
    await run.waitFor();
    await workbench.open("readme.ts");
    await run.waitFor({ state: "detached" });
  });

  it("the check of the workspace runs as a task with findings in the Problems view", async () => {
    const { workbench, page } = window;
    await workbench.command("View: Close All Editors");
    await workbench.command("Tasks: Run Task", workbench.row(/pack-auth/));
    await workbench.pick(/pack-auth/);
    await workbench.pick(/pack-auth: check/);
    await page
      .locator("#status\\.problems")
      .filter({ hasText: /1\s*1\s*3/ })
      .waitFor({ timeout: 30_000 });
    await workbench.command("Problems: Focus on Problems View", page.locator(".markers-panel").getByText("account-pack.ts").first());
    await window.screenshot("check-task");
  });

  it("a missing SDK is installed in a terminal from the status", async () => {
    await untilCommand("status", async () => {
      await shows("status-pack.ts", "Packs SDK not installed: built-in model");
      await window.screenshot("toolkit-status-missing");
      await entry().getByText("Install in terminal").first().click();
    });
    await window.screenshot("toolkit-installed-in-terminal");
    assert.deepEqual(await installedIn("status"), ["npm install --save-dev @codahq/packs-sdk"]);
    await shows("status-pack.ts", "Packs SDK 1.");
  });

  it("a missing SDK is installed by the quick fix with the folder's package manager", async () => {
    const { workbench, page } = window;
    await workbench.open("squiggle-pack.ts");
    await page.locator(".monaco-editor .squiggly-info").first().waitFor({ timeout: 60_000 });
    const fix = page.locator(".action-widget").getByText("Install in terminal", { exact: true });
    await untilCommand("squiggle", async () => {
      await workbench.until(fix, async () => {
        await workbench.command("Go to Next Problem (Error, Warning, Info)");
        await page.keyboard.press("Control+.");
      });
      await window.screenshot("toolkit-quick-fix");
      await workbench.press(fix.first());
    });
    assert.deepEqual(await installedIn("squiggle"), ["pnpm add --save-dev @codahq/packs-sdk"]);
    await page.locator(".monaco-editor .squiggly-info").first().waitFor({ state: "detached", timeout: 30_000 });
  });

  it("a missing SDK is installed from the error, and the pack then runs", async () => {
    const { workbench } = window;
    await workbench.open("error-pack.ts");
    const install = (): ReturnType<typeof workbench.toast> => workbench.toast("yarn add --dev @codahq/packs-sdk");
    await workbench.command("Pack Auth: Run formula", install());
    await window.screenshot("toolkit-error");
    await workbench.press(install().getByRole("button", { name: "Install in terminal" }));
    const failureToast = workbench.toast("The Packs SDK was not installed");
    await failureToast.waitFor({ timeout: 30_000 });
    await window.screenshot("toolkit-not-installed");
    rmSync(join(workspace, "error/offline"));
    await workbench.press(failureToast.getByRole("button", { name: "Try again" }));
    assert.deepEqual(await installedIn("error"), Array(2).fill("yarn add --dev @codahq/packs-sdk"));
    await workbench.command("Pack Auth: Run formula", workbench.row(/^Hello/));
  });

  describe("The formula chosen from the palette", () =>
    whichFormula(
      () => window,
      () => join(workspace, "palette"),
    ));
});
