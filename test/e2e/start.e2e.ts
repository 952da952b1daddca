// `npm start -- --embedded --no-open`: a line for each step, one that tells where, the README's three steps there, and Ctrl-C leaves nothing
// behind. It runs in a copy of the tree, because it builds dist/, from which other tests start programs, and its author edits an example.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";
import { root } from "../support/packs.ts";
import { connectWithSandbox, fixMistake, runFormula } from "./support/three-steps.ts";
import { createWorkbench } from "./support/workbench.ts";

const tsx = join(root, "node_modules/tsx/dist/cli.mjs");

/** Copies what a clone has, and links the installed packages. */
function copyTree(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-clone-")));
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  for (const file of list.split("\0").filter((name) => name !== "" && lstatSync(join(root, name), { throwIfNoEntry: false })?.isFile())) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  for (const packages of ["node_modules", "scripts/embedded/node_modules"]) symlinkSync(join(root, packages), join(copy, packages));
  return copy;
}

const spawnStart = (cwd: string) =>
  spawn(process.execPath, [tsx, "scripts/start.ts", "--embedded", "--no-open"], { cwd, stdio: ["ignore", "pipe", "pipe"] });

describe("npm start", function () {
  this.timeout(300_000);
  let child: ReturnType<typeof spawnStart> | undefined;
  let copy: string;
  before(() => {
    copy = copyTree();
  });
  // Where an assertion failed, the editor would go on for ever.
  after(() => {
    child?.kill("SIGINT");
    rmSync(copy, { recursive: true, force: true, maxRetries: 10 });
  });

  it("an unknown option is refused with exit code 2", () => {
    const { status, stderr } = spawnSync(process.execPath, [tsx, "scripts/start.ts", "--embeded"], { cwd: root, encoding: "utf8" });
    assert.equal(status, 2);
    assert.match(stderr, /--embeded/);
  });

  let url = "";
  it("the start prints a line for each step, and one with the address of the editor when it is ready", async () => {
    const start = spawnStart(copy);
    child = start;
    let output = "";
    start.stderr.on("data", (data: Buffer) => {
      output += data.toString();
    });
    const line = await new Promise<string>((resolve, reject) => {
      let stdout = "";
      start.stdout.on("data", (data: Buffer) => {
        stdout += data.toString();
        if (stdout.includes("\n")) resolve(stdout);
      });
      start.once("exit", (code) => reject(new Error(`ended with ${code}: ${output}`)));
    });
    for (const step of ["Building Pack Auth", "Starting the sandbox", "Packaging the extension", "Starting VS Code"])
      assert.match(output, new RegExp(`^${step}…\\n(?:.*\\n)*?${step}: \\d+\\.\\d s$`, "m"));
    assert.match(line, /^Ready: http:\/\/127\.0\.0\.1:\d+\/\?folder=\S+\n$/);
    url = line.slice("Ready: ".length).trim();
  });

  describe("the README's three steps", () => {
    let browser: Browser;
    let page: Page;
    before(async () => {
      browser = await launchChromium();
      page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      await page.goto(url, { waitUntil: "commit" });
      await createWorkbench(page).ready();
      await page.locator(".getting-started-step", { hasText: "Fix a mistake" }).first().waitFor({ timeout: 60_000 });
    });
    after(() => browser?.close());
    afterEach(async function () {
      if (this.currentTest?.state === "failed" || process.env.TESTS_SCREENSHOTS)
        await page.screenshot({ path: join(root, "test-results", `start-${this.currentTest?.title.replace(/\W+/g, "-")}.png`) });
    });

    it("1: a quick fix repairs a mistake of the examples", () => fixMistake(page));

    it("2 and 3: an OAuth2 pack is connected in the browser, and its formula shows the result, by the mouse", async () => {
      await connectWithSandbox(page, "todo-oauth2", "mouse", async (popup) => {
        await popup.getByRole("button", { name: "Approve" }).click();
      });
      const panel = await runFormula(page, "todo-oauth2", "GetTask", "mouse");
      await panel.getByText("Buy milk").first().waitFor({ timeout: 40_000 });
      await panel.getByTestId("tab-requests").click();
      assert.equal(await panel.getByTestId("credential-mark").innerText(), "Authorization → api.todo.example");
    });

    it("2 and 3: an OAuth2 pack is connected and run by the keyboard alone, a second time in the same browser", async () => {
      await connectWithSandbox(page, "todo-oauth2", "keyboard", async (popup) => {
        await popup.getByRole("heading", { name: "Approve todo-oauth2?" }).waitFor();
        await popup.keyboard.press("Enter");
      });
      const panel = await runFormula(page, "todo-oauth2", "GetTask", "keyboard");
      await panel.getByText("Buy milk").first().waitFor({ timeout: 40_000 });
    });

    it("2 and 3: a pack with a token is connected without a page, and its formula shows the result", async () => {
      await connectWithSandbox(page, "weather-bearer", "mouse");
      const panel = await runFormula(page, "weather-bearer", "Temperature", "mouse");
      await panel.getByText("21.5").first().waitFor({ timeout: 40_000 });
    });

    it("2 and 3: a pack with an endpoint asks for the endpoint after the sign-in, and its formula shows the result", async () => {
      await connectWithSandbox(page, "crm-set-endpoint", "keyboard", async (popup) => {
        await popup.getByRole("button", { name: "Approve" }).click();
      });
      const panel = await runFormula(page, "crm-set-endpoint", "Contact", "mouse");
      await panel.getByText("bob@acme.example").first().waitFor({ timeout: 40_000 });
    });
  });

  it("the VS Code in the browser takes at most 500 MB", () => {
    const folder = join(root, "scripts/embedded/node_modules");
    const countedInodes = new Set<number>();
    let blocks = 0;
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const stats = lstatSync(join(folder, name));
      // A file of two names takes its room once.
      if (countedInodes.has(stats.ino)) continue;
      countedInodes.add(stats.ino);
      blocks += stats.blocks;
    }
    const megabytes = Math.round((blocks * 512) / 1024 / 1024);
    console.log(`      ${megabytes} MB`);
    assert.ok(megabytes > 100 && megabytes <= 500, `${megabytes} MB`);
  });

  it("the editor's logs fill without a compiler", async () => {
    const { createAsyncRotatingLogger } = createRequire(import.meta.url)("../../scripts/embedded/log.cjs") as {
      createAsyncRotatingLogger(
        name: string,
        path: string,
      ): Promise<
        Record<"info" | "debug", (message: string) => void> & {
          setLevel(level: number): void;
          clearFormatters(): void;
        }
      >;
    };
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-log-"));
    try {
      const path = join(folder, "deep/output.log");
      const log = await createAsyncRotatingLogger("output", path);
      log.setLevel(2);
      log.debug("too much");
      log.info("Pack Auth is ready.");
      log.clearFormatters();
      log.info("as it is\n");
      assert.match(readFileSync(path, "utf8"), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[info\] Pack Auth is ready\.\nas it is\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  describe("the end", () => {
    it("Ctrl-C stops the editor", async () => {
      assert.ok(child);
      const whenExited = new Promise((resolve) => child?.once("exit", resolve));
      child.kill("SIGINT");
      await whenExited;
      // The system ends the processes of the editor's group a moment after the start itself.
      while (
        await fetch(url).then(
          () => true,
          () => false,
        )
      )
        await new Promise((resolve) => setTimeout(resolve, 100));
    });
  });
});
