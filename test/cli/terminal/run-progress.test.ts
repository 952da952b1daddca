// What `pack-auth run` shows on a terminal while it waits for a server.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { painter } from "../../../cli/terminal/colour.ts";
import { createRunProgress } from "../../../cli/terminal/run-progress.ts";
import { columnsOf } from "../../../cli/terminal/width.ts";
import { notRun } from "../../support/not-run.ts";
import { hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

/** How a sequence begins that moves the cursor or erases. */
const ERASE = "\u001b[";

describe("a run that waits for a server", function () {
  this.timeout(60_000);
  after(removePackFiles);

  if (!hasTerminal) notRun("on a real terminal (util-linux's script is not on the PATH)");
  else
    it("each pending request has a line on a terminal, erased when the response arrives", async () => {
      const home = mkdtempSync(join(tmpdir(), "pack-auth-progress-"));
      // The server answers once both requests are shown.
      let resolve = (): void => {};
      const whenShown = new Promise<void>((settle) => {
        resolve = settle;
      });
      const server = createServer((_, response) => void whenShown.then(() => response.end("ok")));
      await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
      const { port } = server.address() as AddressInfo;
      try {
        const pack = packFiles({
          "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.addFormula({ name: "Slow", description: "s", resultType: coda.ValueType.String, parameters: [], execute: async (_: any, context: any) =>
  (await Promise.all(["one", "two"].map((name) => context.fetcher.fetch({ method: "GET", url: "http://127.0.0.1:${port}/" + name })))).length + " answers" });
`,
        });
        const { code, text } = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), "run", pack, "Slow", "--allow-loopback"], {
          env: { PACK_AUTH_HOME: home },
          type(text) {
            if (/waiting for GET \S+\/one\b.*waiting for GET \S+\/two\b/s.test(text)) resolve();
            return undefined;
          },
        });
        assert.equal(code, 0, text);
        const behind = text.slice(text.lastIndexOf("waiting for"));
        assert.ok(behind.includes(`${ERASE}0J`), behind);
        assert.match(stripVTControlCharacters(behind), /2 answers/);
      } finally {
        server.closeAllConnections();
        server.close();
        rmSync(home, { recursive: true, force: true });
      }
    });

  it("a standard error that is no terminal gets row counts, and no requests", () => {
    const output: string[] = [];
    const progress = createRunProgress(painter(false), { isTTY: false, width: 80, write: (text) => void output.push(text) });
    progress.begin({ id: 1, method: "GET", url: "https://a.example/" });
    progress.rows("2 rows");
    progress.end(1);
    progress.close();
    assert.deepEqual(output, ["2 rows\n"]);
  });

  it("requests have a row each, at most five, with other text printed above", async () => {
    let output = "";
    const write = (text: string): void => {
      output += text;
    };
    const progress = createRunProgress(painter(false), { isTTY: true, width: 30, write });
    for (let id = 1; id <= 7; id++) progress.begin({ id, method: "GET", url: `https://a.example/${"日".repeat(40)}` });
    while (!output.includes("more requests")) await new Promise((resolve) => setTimeout(resolve, 10));
    const rows = output.trimEnd().split("\n");
    assert.equal(rows.length, 6);
    for (const row of rows) assert.ok(columnsOf(row) <= 30, row);
    assert.equal(rows.at(-1), "waiting for 2 more requests");
    output = "";
    progress.print(painter(false)("dim", "log\n"));
    assert.equal(output, `${ERASE}6A${ERASE}0Jlog\n`);
    progress.close();
  });
});
