// `npm start -- --embedded --no-open`: a line for each step, one that tells where, and Ctrl-C leaves nothing behind.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/packs.ts";

const tsx = join(root, "node_modules/tsx/dist/cli.mjs");

const spawnStart = () =>
  spawn(process.execPath, [tsx, "scripts/start.ts", "--embedded", "--no-open"], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });

describe("npm start", function () {
  this.timeout(300_000);
  let child: ReturnType<typeof spawnStart> | undefined;
  // Where an assertion failed, the editor would go on for ever.
  after(() => child?.kill("SIGINT"));

  it("an unknown option is refused with exit code 2", () => {
    const { status, stderr } = spawnSync(process.execPath, [tsx, "scripts/start.ts", "--embeded"], { cwd: root, encoding: "utf8" });
    assert.equal(status, 2);
    assert.match(stderr, /--embeded/);
  });

  it("the start prints one line when ready, serves the editor, and Ctrl-C stops all", async () => {
    const start = spawnStart();
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
    const url = line.slice("Ready: ".length).trim();
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /vscode-workbench-web-configuration/);
    const whenExited = new Promise((resolve) => start.once("exit", resolve));
    start.kill("SIGINT");
    await whenExited;
    await assert.rejects(fetch(url), "the editor is gone");
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
});
