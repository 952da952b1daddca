// `npm start -- --embedded --no-open`: one line tells where, and Ctrl-C leaves nothing behind.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./support/packs.ts";

const tsx = join(root, "node_modules/tsx/dist/cli.mjs");

describe("npm start", function () {
  this.timeout(300_000);

  it("refuses an unknown option with exit code 2", () => {
    const { status, stderr } = spawnSync(process.execPath, [tsx, "scripts/start.ts", "--embeded"], { cwd: root, encoding: "utf8" });
    assert.equal(status, 2);
    assert.match(stderr, /--embeded/);
  });

  it("prints one line when it is ready, serves the editor, and Ctrl-C stops all", async () => {
    const child = spawn(process.execPath, [tsx, "scripts/start.ts", "--embedded", "--no-open"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (data: Buffer) => {
      output += data.toString();
    });
    const line = await new Promise<string>((resolve, reject) => {
      let stdout = "";
      child.stdout.on("data", (data: Buffer) => {
        stdout += data.toString();
        if (stdout.includes("\n")) resolve(stdout);
      });
      child.once("exit", (code) => reject(new Error(`ended with ${code}: ${output}`)));
    });
    assert.match(line, /^Ready: http:\/\/127\.0\.0\.1:\d+\/\?folder=\S+\n$/);
    const url = line.slice("Ready: ".length).trim();
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /vscode-workbench-web-configuration/);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    await ended;
    await assert.rejects(fetch(url), "the editor is gone");
  });
});
