// `npm run pictures [-- steps tests runs error debugger command-line]`: takes the pictures of README and the guides again, in the real VS Code,
// and of the command line's own output. Look at each before it is committed.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";
import { debuggableNode } from "../support/nodes.ts";
import { root } from "../support/packs.ts";
import { authorSettings } from "./support/author-settings.ts";
import { CITIES_PACK, CITIES_STUBS } from "./support/cities-pack.ts";
import { openWindow, pictureOf, type Window } from "./support/embedded.ts";
import { type Frame, writePicture } from "./support/small-pictures.ts";

const IMAGES = join(root, "docs/images");
const node = await debuggableNode();
if (node === undefined) throw new Error("No Node here can be debugged: install those of test/nodes.");

const workspace = mkdtempSync(join(tmpdir(), "pack-auth-"));
mkdirSync(join(workspace, "cities"));
mkdirSync(join(workspace, ".vscode"));
writeFileSync(join(workspace, "cities/pack.ts"), CITIES_PACK);
writeFileSync(join(workspace, "cities/sandbox.json"), JSON.stringify(CITIES_STUBS));
symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
const settings = {
  "workbench.colorTheme": "Default Light Modern",
  "packAuth.userName": "maria",
  "debug.toolBarLocation": "docked",
};
writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(settings));

/** A program is chosen by the person alone. */
const author = { "packAuth.nodePath": node.path };

const save = (name: string, png: Buffer): void => writePicture(join(IMAGES, `${name}.png`), [{ png, time: 0 }]);

/** The panel alone, as high as asked for. */
async function panelPicture({ page }: Window, name: string, height: number): Promise<void> {
  const box = await page.locator("iframe.webview:visible").first().boundingBox();
  if (box === null) throw new Error(`no panel for ${name}`);
  await page.mouse.move(0, 0);
  save(name, await page.screenshot({ clip: { ...box, height: Math.min(height, box.height) } }));
}

async function open({ workbench }: Window, pack: string, name: string): Promise<FrameLocator> {
  await workbench.command("Pack Auth: Run formula");
  await workbench.pick(new RegExp(`^${name}`));
  return workbench.webview(`main:has(h1:text-is("${pack} ▸ ${name}")) [data-testid="run"]`);
}

async function connectCities({ workbench }: Window): Promise<void> {
  await workbench.open("cities/pack.ts");
  await workbench.lens("Connect test account").waitFor({ timeout: 60_000 });
  await workbench.command("Pack Auth: Connect test account");
  await workbench.pick(/Connect with sandbox/);
  await workbench.toast(/Connected .* to cities/).waitFor({ timeout: 30_000 });
  await workbench.clearNotifications();
}

async function captureRuns(window: Window): Promise<void> {
  const { workbench, page } = window;
  const panel = await open(window, "cities", "Cities");
  // Not by a click: the suggestions lie over it.
  const fold = (isFolded: boolean): Promise<void> =>
    panel
      .locator("details")
      .first()
      .evaluate((element, open) => element.toggleAttribute("open", open) as never, !isFolded);
  await panel.getByTestId("param-country").fill("Po");
  await panel.getByTestId("param-country").click();
  await panel.getByRole("option", { name: "Portugal" }).waitFor({ timeout: 30_000 });
  await fold(false);
  await panelPicture(window, "running-form", 420);
  await fold(true);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  await panel.getByTestId("result-table").getByText("Lisbon").first().waitFor({ timeout: 30_000 });
  await panel.getByTestId("status").getByText(/^OK/).waitFor({ timeout: 30_000 });
  await panelPicture(window, "running-table", 580);
  await panel.getByTestId("view-preview").click();
  await panel.getByText("5.1%").first().waitFor();
  await panelPicture(window, "running-preview", 580);
  await panel.getByTestId("tab-requests").click();
  await panelPicture(window, "running-requests", 720);
  await panel.getByTestId("tab-afterUpload").click();
  await panelPicture(window, "running-after-upload", 480);
  await panel.getByTestId("param-country").fill("Poland");
  await panel.getByTestId("run").click();
  await panel.getByTestId("status").getByText(/^OK/).waitFor({ timeout: 30_000 });
  writeFileSync(join(workspace, "cities/sandbox.json"), JSON.stringify(CITIES_STUBS).replace('"rent":840', '"rent":855'));
  await panel.getByTestId("run").click();
  await page.waitForTimeout(1_000);
  await panel.getByTestId("tab-history").click();
  for (const row of [0, 1]) await panel.getByTestId("history-row").nth(row).getByRole("checkbox").check();
  await panelPicture(window, "running-history", 530);
  await panel.getByTestId("compare").click();
  await page.getByRole("tab", { name: /Cities: .* ↔ / }).waitFor({ timeout: 10_000 });
  await page.waitForTimeout(1_500);
  save("running-compare", await page.screenshot({ clip: { x: 0, y: 0, width: 1200, height: 500 } }));
  await workbench.command("View: Close Editor");
}

async function captureError(window: Window): Promise<void> {
  // It runs as it is opened.
  const panel = await open(window, "cities", "Age");
  await panel.getByTestId("error").waitFor({ timeout: 30_000 });
  await panelPicture(window, "running-error", 440);
}

async function captureDebugger(window: Window): Promise<void> {
  const { workbench, page } = window;
  const panel = await open(window, "cities", "Age");
  await panel.getByTestId("param-city").fill("Porto");
  await workbench.open("cities/pack.ts");
  const line = CITIES_PACK.split("\n").findIndex((text) => text.includes("return age;")) + 1;
  await page.keyboard.press("Control+G");
  await workbench.type(`:${line}`);
  await workbench.command("Debug: Toggle Breakpoint");
  await open(window, "cities", "Age");
  await panel.getByTestId("debug").click();
  await page.locator(".debug-top-stack-frame-line").first().waitFor({ timeout: 40_000 });
  // The editor opens the first scope by itself, mostly; `city` is in the one of the function.
  const city = page.getByRole("treeitem", { name: /\bcity\b/ }).first();
  const scope = page.getByRole("treeitem", { name: /Scope Local/ }).first();
  await city.waitFor({ timeout: 5_000 }).catch(() => scope.locator(".monaco-tl-twistie").click());
  await city.waitFor({ timeout: 10_000 });
  await page.waitForTimeout(1_000);
  save("running-debug", await page.screenshot());
  await page.keyboard.press("F5");
}

/** From a squiggle to a result, as one picture that moves. */
async function captureSteps(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "pack-auth-"));
  const folder = join(home, "weather");
  cpSync(join(root, "examples/weather-bearer"), folder, { recursive: true });
  const source = readFileSync(join(folder, "pack.ts"), "utf8");
  writeFileSync(join(folder, "pack.ts"), source.replace("instructionsUrl", "instructionUrl"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, ".vscode"));
  writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify({ ...settings, "breadcrumbs.enabled": false }));
  const window = await openWindow({ folder, from: "source" });
  const { workbench, page } = window;
  const frames: Frame[] = [];
  const frame = async (time: number): Promise<void> => {
    await page.waitForTimeout(500);
    await page.mouse.move(0, 0);
    frames.push({ png: await page.screenshot(), time });
  };
  try {
    await page.setViewportSize({ width: 900, height: 680 });
    await workbench.open("pack.ts");
    await page.keyboard.press("Control+b");
    await page.locator(".monaco-editor .squiggly-error").first().waitFor({ timeout: 60_000 });
    await frame(2_000);
    const fix = page.locator(".action-widget").getByText("Rename to instructionsUrl");
    await workbench.until(fix, async () => {
      await workbench.command("Go to Next Problem (Error, Warning, Info)");
      await page.keyboard.press("Control+.");
    });
    await frame(2_500);
    await workbench.press(fix.first());
    await page.locator(".monaco-editor .squiggly-error").first().waitFor({ state: "detached", timeout: 30_000 });
    await page.keyboard.press("Escape");
    await frame(1_500);
    const connect = await workbench.showLens("Connect test account");
    await workbench.until(workbench.row(/Connect with sandbox/), () => connect.click());
    await frame(2_500);
    await workbench.pick(/Connect with sandbox/);
    await workbench.toast(/Connected/).waitFor({ timeout: 30_000 });
    await workbench.clearNotifications();
    await workbench.showLens(/Sandbox user/);
    await frame(2_000);
    const run = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Temperature · / }), () => run.click());
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    await panel.getByTestId("result").waitFor({ timeout: 30_000 });
    await frame(3_000);
    await panel.getByTestId("tab-requests").click();
    await frame(3_500);
    writePicture(join(IMAGES, "steps.png"), frames);
  } catch (error) {
    await window.page.screenshot({ path: pictureOf("pictures-failed") });
    throw error;
  } finally {
    await window.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The Test Explorer, beside a formula that has a test. */
async function captureTests({ workbench, page }: Window): Promise<void> {
  const runArguments = ["run", "cities", "Age", "Porto", "--sandbox", "--save-test", "cities/tests"];
  const { status, stderr } = spawnSync(process.execPath, [join(root, "dist/cli.cjs"), ...runArguments], {
    cwd: workspace,
    encoding: "utf8",
    env: {
      ...process.env,
      PACK_AUTH_HOME: join(workspace, "home"),
      PACK_AUTH_SECRET_STORE: "file",
      PACK_AUTH_PASSPHRASE: "of the pictures",
    },
  });
  if (status !== 0) throw new Error(stderr);
  await workbench.command("View: Close All Editors");
  await workbench.open("cities/pack.ts");
  const explorer = page.locator(".test-explorer");
  await workbench.command("View: Show Testing", explorer);
  await explorer.getByRole("treeitem", { name: /^Age \(/ }).waitFor({ timeout: 30_000 });
  await workbench.command("Test: Run All Tests", explorer.getByRole("treeitem", { name: /^Age \(Passed\)/ }));
  const line = CITIES_PACK.split("\n").findIndex((text) => text.includes("pack.addFormula")) + 1;
  await page.keyboard.press("Control+G");
  await workbench.type(`:${line}`);
  await workbench.command("View: Hide Panel");
  await page.waitForTimeout(1_000);
  await page.mouse.move(0, 0);
  save("testing", await page.screenshot({ clip: { x: 0, y: 0, width: 1200, height: 520 } }));
}

/** What the command line prints, in a terminal's clothes: a sandbox, an account in it, and a run. */
async function captureCommandLine(): Promise<void> {
  const home = { PACK_AUTH_HOME: join(workspace, "home"), PACK_AUTH_SECRET_STORE: "file", PACK_AUTH_PASSPHRASE: "of the pictures" };
  const cli = join(root, "dist/cli.cjs");
  const sandbox = spawn(process.execPath, [cli, "sandbox", "cities"], { cwd: workspace });
  try {
    const output = await new Promise<string>((resolve) => sandbox.stdout.once("data", (data: Buffer) => resolve(String(data))));
    const address = /PACK_AUTH_SANDBOX='([^']+)'/.exec(output)?.[1] ?? "";
    const call = (callArguments: readonly string[]): string => {
      // Both streams in the order of a terminal's.
      const command = `"$0" "$@" 2>&1`;
      const env = { ...process.env, ...home, PACK_AUTH_SANDBOX: address, NO_COLOR: "1" };
      return spawnSync("sh", ["-c", command, process.execPath, cli, ...callArguments], { cwd: workspace, encoding: "utf8", env }).stdout;
    };
    call(["connect", "cities", "--sandbox"]);
    const runArguments = ["run", "cities", "Cities", "Portugal"];
    const text = `$ pack-auth ${runArguments.join(" ")}\n${call(runArguments)}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const browser = await launchChromium();
    const page = await browser.newPage();
    const style = "margin:0;padding:12px;background:#1f1f1f;color:#ccc;font:12px monospace;width:920px;white-space:pre-wrap";
    await page.setContent(`<pre style="${style}">${text}</pre>`);
    save("running-command-line", await page.locator("pre").screenshot());
    await browser.close();
  } finally {
    sandbox.kill();
  }
}

const PARTS: Readonly<Record<string, (window: Window) => Promise<void>>> = {
  runs: captureRuns,
  error: captureError,
  debugger: captureDebugger,
  // Last: it leaves its results below the editor.
  tests: captureTests,
};
const requestedParts = process.argv.slice(2);
const selectedParts = requestedParts.length === 0 ? ["steps", ...Object.keys(PARTS), "command-line"] : requestedParts;

/** Those of the panel, in one window. */
async function capturePanel(): Promise<void> {
  const window = await openWindow({ folder: workspace, from: "source", opening: authorSettings(author) });
  try {
    await window.page.setViewportSize({ width: 1200, height: 800 });
    await connectCities(window);
    await window.page.keyboard.press("Control+b");
    for (const [name, capture] of Object.entries(PARTS)) if (selectedParts.includes(name)) await capture(window);
  } catch (error) {
    await window.page.screenshot({ path: pictureOf("pictures-failed") });
    throw error;
  } finally {
    await window.close();
  }
}

try {
  if (selectedParts.includes("command-line")) await captureCommandLine();
  if (selectedParts.includes("steps")) await captureSteps();
  if (Object.keys(PARTS).some((name) => selectedParts.includes(name))) await capturePanel();
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
