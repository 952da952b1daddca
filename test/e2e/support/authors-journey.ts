// An author's way in the real VS Code, with the installed package: what works without trust → trust → mistake → fix → connect in the sandbox →
// account in the tree → run → result; then the search for the secret everywhere but in the secret store.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type Account, packKey } from "../../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { root } from "../../support/packs.ts";
import type { SharedWindow, Window } from "./embedded.ts";
import { filesBelow } from "./files-below.ts";

/** The example, with a mistake in it. */
export function writeExample(workspace: string): void {
  cpSync(join(root, "examples/todo-oauth2"), join(workspace, "todo-oauth2"), { recursive: true });
  cpSync(join(root, "examples/package.json"), join(workspace, "package.json"));
  const entry = join(workspace, "todo-oauth2/pack.ts");
  writeFileSync(entry, readFileSync(entry, "utf8").replace("tokenUrl:", "tokenURL:"));
}

/** Every file below the folder that holds the text; what a link leads to (the workspace's node_modules) is not the folder's. */
function filesWith(folder: string, text: string): readonly string[] {
  return filesBelow(folder).filter((path) => {
    try {
      return readFileSync(path).includes(text);
    } catch {
      return false;
    }
  });
}

export function authorsJourney(shared: () => SharedWindow): void {
  let window: Window;
  let workspace: string;
  before(() => {
    ({ window, workspace } = shared());
  });
  const picture = (name: string): Promise<void> => window.screenshot(`journey-${name}`);

  it("an untrusted window flags the mistake and explains that connecting and running need trust", async () => {
    const { workbench } = window;
    await workbench.open("todo-oauth2/pack.ts");
    await workbench.squiggle().waitFor({ timeout: 60_000 });
    await picture("1-squiggle");
    await workbench.command("Pack Auth: Connect test account", workbench.toast(/Trust this workspace first/));
    await window.screenshot("untrusted-1");
    await workbench.clearNotifications();
    await workbench.command("Pack Auth: Run formula", workbench.toast(/Trust this workspace first\. Running a formula/));
  });

  it("a sandbox account is removed without running the pack's code", async () => {
    const { workbench, page } = window;
    const files = (): readonly string[] => readdirSync(accountsFolder(window.dataFolder)).filter((name) => name.endsWith(".json"));
    assert.equal(files().length, 1);
    await workbench.command("Pack Auth: Focus on Accounts View", workbench.tree(/made before/));
    const remove = page.locator(".monaco-dialog-box").getByRole("button", { name: "Remove" });
    await workbench.menu(workbench.tree(/made before/), "Remove account", remove);
    await workbench.press(remove);
    await workbench.tree(/made before/).waitFor({ state: "detached", timeout: 20_000 });
    assert.deepEqual([files(), programsOf(window.dataFolder)], [[], []]);
  });

  it("the explanation's button trusts the window, and the extension goes on", async () => {
    const { workbench, page } = window;
    const manage = page.getByRole("button", { name: "Manage workspace trust" });
    await workbench.clearNotifications();
    await workbench.command("Pack Auth: Run formula", manage);
    const trust = page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true });
    await workbench.until(trust, () => workbench.press(manage));
    await trust.click();
    await page.locator(".workspace-trust-editor").getByText("You trust this folder").waitFor({ timeout: 20_000 });
    await picture("1-trusted");
    await workbench.closeEditors();
  });

  it("the quick fix repairs the mistake", async () => {
    const { workbench, page } = window;
    await workbench.open("todo-oauth2/pack.ts");
    await workbench.squiggle().waitFor({ timeout: 60_000 });
    await page.getByText("tokenURL", { exact: false }).first().click();
    const fix = page.locator(".action-widget").getByText("Rename to tokenUrl");
    // Shown once every server has answered; before that, news of one of them closes what was asked for.
    await page.locator(".lightBulbWidget").first().waitFor({ timeout: 30_000 });
    await workbench.until(fix, () => page.keyboard.press("Control+."));
    await picture("2-quick-fix");
    await workbench.press(fix);
    await page.locator(".monaco-editor .squiggly-error").first().waitFor({ state: "detached", timeout: 20_000 });
    await page.keyboard.press("Control+s");
  });

  it("auth-spec 1 step 1, 1 step 2: a test account is connected through the sandbox", async () => {
    const { workbench } = window;
    const lens = await workbench.showLens("Connect test account");
    await picture("3-lens");
    await workbench.until(workbench.row(/Connect with sandbox/), () => lens.click());
    const popup: Page = await workbench.popup(() => workbench.pick(/Connect with sandbox/));
    await popup.getByRole("heading", { name: /Approve todo-oauth2/ }).waitFor();
    await popup.getByRole("button", { name: "Approve" }).click();
    await popup.getByText("You are signed in").waitFor();
    await popup.close();
    await workbench.toast(/Connected alice@todo\.example/).waitFor({ timeout: 30_000 });
    assert.ok(programsOf(window.dataFolder).includes("sandbox.cjs"));
    await picture("5-connected");
  });

  it("auth-spec 1 step 4: the account is shown in the tree and over the setter", async () => {
    const { workbench } = window;
    await workbench.command("Pack Auth: Focus on Accounts View", workbench.tree(/alice@todo\.example/));
    await workbench.showLens(/alice@todo\.example/);
    await picture("6-accounts");
  });

  it("auth-spec 1 step 5, 5.1.4: a formula runs with the credential applied, and the request shows where it went", async () => {
    const { workbench, page } = window;
    await page.locator(".monaco-editor").first().click();
    await workbench.command("Pack Auth: Run formula", workbench.row(/^GetTask/));
    await workbench.pick(/^GetTask/);
    const panel = await workbench.webview('[data-testid="run"]');
    assert.equal((await panel.getByTestId("account").locator("option:checked").innerText()).trim(), "alice@todo.example (sandbox)");
    assert.equal(await panel.getByTestId("param-taskId").inputValue(), "7");
    // Nothing is missing in its form, so it runs at once.
    await panel.getByTestId("result-table").getByText("Buy milk").waitFor({ timeout: 30_000 });
    await panel.getByTestId("status").getByText(/^OK/).waitFor();
    await picture("7-result");
    await panel.getByTestId("tab-requests").click();
    assert.equal(await panel.getByTestId("credential-mark").innerText(), "Authorization → api.todo.example");
    await panel.getByTestId("request-row").locator("summary").click();
    await picture("8-requests");
    const bodyText = await panel.locator("body").innerText();
    assert.match(bodyText, /Bearer ••••/);
  });

  it("the packaged esbuild builds the pack with an empty environment", function () {
    if (process.platform !== "linux") this.skip();
    // npm and Node's own tools may have an esbuild of theirs.
    const home = realpathSync(join(window.dataFolder, "extensions"));
    const environments = readdirSync("/proc").flatMap((id) => {
      try {
        const program = /^\d+$/.test(id) ? readlinkSync(`/proc/${id}/exe`) : "";
        return program.startsWith(home) && program.endsWith("/esbuild") ? [readFileSync(`/proc/${id}/environ`, "utf8")] : [];
      } catch {
        return [];
      }
    });
    assert.ok(
      environments.some((environment) => environment.split("\0").every((each) => /^(?:|TZ=UTC|ELECTRON_RUN_AS_NODE=1)$/.test(each))),
      `${environments.length} of ${home}`,
    );
  });

  it("an error links to the pack's source line", async () => {
    const { workbench } = window;
    const panel = await workbench.webview('[data-testid="run"]');
    await panel.getByTestId("param-taskId").fill("404");
    await panel.getByTestId("run").click();
    await panel.getByTestId("error").waitFor({ timeout: 30_000 });
    await panel.getByTestId("error").getByText(/404/).first().waitFor();
    await picture("9-error");
    assert.match(await panel.getByTestId("frame").first().innerText(), /pack\.ts:\d+/);
  });

  it("auth-spec 1 secrecy: no file, log or page contains a credential", async () => {
    const { page } = window;
    assert.equal(filesWith(workspace, "tokenUrl:").length, 1, "the search finds what is there");
    // The sandbox's tokens cannot be known from outside: its client secret and credentials all begin like this.
    const everywhere = [...filesWith(window.dataFolder, "sandbox-secret-"), ...filesWith(workspace, "sandbox-secret-")];
    assert.deepEqual(everywhere, []);
    assert.ok(!window.serverLog().includes("sandbox-secret-"));
    const texts = await Promise.all(page.frames().map((frame) => frame.evaluate(() => document.documentElement.outerHTML).catch(() => "")));
    assert.ok(!texts.some((text) => /sandbox-secret-|Bearer (?!••••)[A-Za-z0-9_-]{20,}/.test(text)));
    assert.deepEqual(
      // The programs themselves, also as compiled code, know the word.
      filesWith(window.dataFolder, "accessToken").filter(
        (path) => !/\/extensions\/|CachedExtension|\/pack-auth\.pack-auth\/code\//.test(path),
      ),
      [],
    );
  });
}

const accountsFolder = (dataFolder: string): string => join(dataFolder, "User/globalStorage/pack-auth.pack-auth/accounts");

/** What the installed extension runs beside the editor: a sandbox, which hears of each pack that is opened and stays, and packs' processes. */
function programsOf(dataFolder: string): readonly string[] {
  const home = realpathSync(join(dataFolder, "extensions"));
  return readdirSync("/proc").flatMap((id) => {
    try {
      const line = /^\d+$/.test(id) ? readFileSync(`/proc/${id}/cmdline`, "utf8") : "";
      return line.includes(home) ? (/\b(?:runner|sandbox)\.cjs/.exec(line)?.[0] ?? []) : [];
    } catch {
      return [];
    }
  });
}

/** As a trusted window left it. */
export function storeSandboxAccount(dataFolder: string, entry: string): void {
  const account: Account = {
    id: "made-before",
    pack: packKey(entry),
    entry,
    scope: "user",
    type: "OAuth2",
    label: "made before",
    shared: true,
    createdAt: 1,
    sandboxOrigin: "http://127.0.0.1:9",
    configuration: snapshotOf({ type: "OAuth2" } as AuthenticationDefinition),
  };
  mkdirSync(accountsFolder(dataFolder), { recursive: true });
  writeFileSync(join(accountsFolder(dataFolder), `${account.id}.json`), JSON.stringify(account));
}
