// The watch over memory on Windows, with a shell that stands in for PowerShell: it reads a line, looks, and answers.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemoryShell } from "../../../platform/child-process/windows-memory.ts";

/** Says when it starts and ends; a process has 1,000 times its id, and the process 404 is gone. */
const SHELL = `
const { appendFileSync } = require("node:fs");
const log = (text) => appendFileSync(process.argv[1], text + "\\n");
log("started");
process.stdin.setEncoding("utf8").on("data", (text) => {
  for (const line of text.split("\\n").filter(Boolean)) {
    const [, printed, pid] = /^"(memory \\d+) \\$\\(\\(Get-Process -Id (\\d+) -ErrorAction SilentlyContinue\\)\\.WorkingSet64\\)"$/.exec(line);
    if (pid === "13") process.exit();
    process.stdout.write(printed + " " + (pid === "404" ? "" : pid + "000") + "\\r\\n");
  }
}).on("end", () => log("ended"));
`;

describe("The memory of a process on Windows (simulated)", () => {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-memory-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, "log");
  const shell = (): ReturnType<typeof openMemoryShell> => {
    writeFileSync(log, "");
    return openMemoryShell([process.execPath, "-e", SHELL, log]);
  };
  const starts = (): number => readFileSync(log, "utf8").split("started").length - 1;

  it("one shell reads the memory of all processes", async () => {
    const { residentBytes } = shell();
    assert.deepEqual(await Promise.all([7, 8, 7].map(residentBytes)), [7_000, 8_000, 7_000]);
    assert.equal(await residentBytes(404), undefined);
    assert.equal(await residentBytes(9), 9_000);
    assert.equal(starts(), 1);
  });

  it("a second shell starts once the first has ended", async () => {
    const { residentBytes } = shell();
    assert.equal(await residentBytes(7), 7_000);
    assert.equal(await residentBytes(13), undefined);
    assert.equal(await residentBytes(8), 8_000);
    assert.equal(starts(), 2);
  });

  it("the memory is unknown without a working shell, which is not retried", async () => {
    const { residentBytes } = shell();
    assert.equal(await residentBytes(13), undefined);
    assert.equal(await residentBytes(7), undefined);
    assert.equal(starts(), 1);
    assert.equal(await openMemoryShell([join(folder, "none")]).residentBytes(7), undefined);
  });
});
