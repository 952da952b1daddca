// Ctrl-C at a prompt, on a real terminal: what is under way ends, and the process with 130. A signal that a process sends to itself ends it
// at once on Windows: it does so here, too.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storedIn } from "../../support/call-cli.ts";
import { notRun } from "../../support/not-run.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`;
/** As Windows answers: there are no signals, and to kill is to end. */
const AS_WINDOWS = `const kill = process.kill;
process.kill = (id, signal) => (id === process.pid ? process.reallyExit(1) : kill(id, signal));
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** util-linux's, which gives a program a terminal. */
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

describe("Ctrl-C at a prompt", function () {
  this.timeout(60_000);
  let home: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-interrupt-"));
  });
  after(() => {
    rmSync(home, { recursive: true, force: true });
    removePackFiles();
  });

  async function interruptedAt(prompt: RegExp, args: readonly string[]): Promise<{ readonly code: unknown; readonly said: string }> {
    const hook = join(home, "as-windows.cjs");
    writeFileSync(hook, AS_WINDOWS);
    const command = [process.execPath, "--require", hook, join(root, "dist/cli.cjs"), ...args].map(quoted).join(" ");
    const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      env: { ...process.env, ...storedIn(home) },
    });
    let said = "";
    let isSent = false;
    child.stdout.on("data", (data: Buffer) => {
      said += data.toString();
      if (isSent || !prompt.test(said)) return;
      isSent = true;
      child.stdin.write("\u0003");
    });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    return { code, said };
  }

  if (!hasTerminal) notRun("a real terminal (util-linux's script is not on the PATH)");
  else
    it("cancels a sign-in, leaves nothing behind, and ends with 130", async () => {
      const { code, said } = await interruptedAt(/token/i, ["connect", packFiles({ "pack.ts": PACK })]);
      assert.equal(code, 130, said);
      assert.match(said, /Cancelled\. Nothing was stored\./);
      assert.deepEqual(
        readdirSync(home, { recursive: true, withFileTypes: true }).flatMap((entry) =>
          entry.isFile() && !["salt", "as-windows.cjs"].includes(entry.name) ? entry.name : [],
        ),
        [],
      );
    });
});
