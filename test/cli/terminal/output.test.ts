// Where a report goes: a check ends as soon as its report is out, and neither a slow reader nor a full disk may take a part of it unnoticed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { forgiveReaders } from "../../../cli/terminal/process-terminal.ts";
import { openTerminal } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";

const FILES = 60;
const BAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({ type: "Nothing", foo: 1, bar: 2 });\n`;

describe("the report of a check", function () {
  this.timeout(60_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-output-"));
    for (let file = 0; file < FILES; file++) writeFileSync(join(folder, `pack-${file}.ts`), BAD);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = (stdout: "pipe" | number) =>
    spawn(process.execPath, [join(root, "dist/cli.cjs"), "check", ".", "--format", "json"], {
      cwd: folder,
      stdio: ["ignore", stdout, "ignore"],
    });

  it("a slow reader gets the report to the last file", async () => {
    const child = start("pipe");
    const parts: Buffer[] = [];
    const whenClosed = once(child, "close");
    for await (const part of child.stdout ?? []) {
      parts.push(part as Buffer);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [status] = await whenClosed;
    const text = Buffer.concat(parts).toString();
    assert.ok(text.length > 2 ** 17, "more than pipes hold");
    assert.equal((JSON.parse(text) as { files: unknown[] }).files.length, FILES);
    assert.equal(status, 1);
  });

  it("a reader that went away leaves the check's exit code", async () => {
    const child = start("pipe");
    child.stdout?.destroy();
    const [status] = await once(child, "close");
    assert.equal(status, 1);
  });

  for (const code of ["EPIPE", "ECONNRESET"])
    it(`a reader that went away is no error of any verb when the system reports ${code}`, () => {
      const stream = new PassThrough();
      forgiveReaders({ ...openTerminal().terminal, stdout: stream });
      const before = process.exitCode;
      stream.emit("error", Object.assign(new Error(code), { code }));
      assert.equal(process.exitCode, before);
    });

  it("a full disk makes the check exit 2", async function () {
    if (!existsSync("/dev/full")) this.skip();
    const full = openSync("/dev/full", "w");
    const child = start(full);
    const [status] = await once(child, "close");
    closeSync(full);
    assert.equal(status, 2);
  });
});
