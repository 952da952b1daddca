// Ctrl-C at a prompt, on a real terminal: what is under way ends, and the process with 130. A signal that a process sends to itself ends it
// at once on Windows: it does so here, too.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storedIn } from "../../support/call-cli.ts";
import { notRun } from "../../support/not-run.ts";
import { hasTerminal, onTerminal } from "../../support/on-terminal.ts";
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

  async function interruptedAt(prompt: RegExp, args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
    const hook = join(home, "as-windows.cjs");
    writeFileSync(hook, AS_WINDOWS);
    let isSent = false;
    const { code, text } = await onTerminal([process.execPath, "--require", hook, join(root, "dist/cli.cjs"), ...args], {
      env: { ...process.env, ...storedIn(home) },
      type(screenText) {
        if (isSent || !prompt.test(screenText)) return undefined;
        isSent = true;
        return "\u0003";
      },
    });
    return { code, output: text };
  }

  if (!hasTerminal) notRun("a real terminal (util-linux's script is not on the PATH)");
  else
    it("Ctrl-C cancels a sign-in, leaves nothing behind, and exits 130", async () => {
      const { code, output } = await interruptedAt(/token/i, ["connect", packFiles({ "pack.ts": PACK })]);
      assert.equal(code, 130, output);
      assert.match(output, /Cancelled\. Nothing was stored\./);
      assert.deepEqual(
        readdirSync(home, { recursive: true, withFileTypes: true }).flatMap((entry) =>
          entry.isFile() && !["salt", "as-windows.cjs"].includes(entry.name) ? entry.name : [],
        ),
        [],
      );
    });
});
