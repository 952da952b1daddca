// Texts on a terminal: lines break between words, at its width.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { painter } from "../../../cli/terminal/colour.ts";
import { printable } from "../../../cli/terminal/printable.ts";
import { columnsOf, outputWidth, wrapped } from "../../../cli/terminal/width.ts";
import { callCli } from "../../support/call-cli.ts";
import { notRun } from "../../support/not-run.ts";
import { hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { root } from "../../support/packs.ts";

describe("the width of an output", () => {
  it("the width is the terminal's, 80 columns in a pipe, and COLUMNS when set", () => {
    assert.equal(outputWidth({ columns: 132 }, {}), 132);
    assert.equal(outputWidth({}, {}), 80);
    assert.equal(outputWidth({ columns: 0 }, {}), 80);
    assert.equal(outputWidth({ columns: 132 }, { COLUMNS: "60" }), 60);
    assert.equal(outputWidth({ columns: 132 }, { COLUMNS: "" }), 132);
    assert.equal(outputWidth({}, { COLUMNS: "wide" }), 80);
    assert.equal(outputWidth({ columns: 3 }, {}), 20);
  });
});

describe("a text that is wider than the terminal", () => {
  it("the text breaks at spaces, keeps its words, and fits but for longer words", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "日", "é", "-"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.nat(6), fc.integer({ min: 20, max: 80 }), (wordList, indent, width) => {
        const text = wrapped(printable(" ".repeat(indent) + wordList.join(" ")), width);
        assert.equal(text.trim().split(/\s+/).join(" "), wordList.join(" "));
        for (const row of text.split("\n")) {
          assert.ok(columnsOf(row) <= width || !row.trim().includes(" "), row);
          assert.ok(row.startsWith(" ".repeat(indent)), "a row is set in as its line is");
        }
      }),
    );
  });

  it("continued rows hang below a list's text, and below a table's last column", () => {
    assert.equal(wrapped(printable("  1. one two three four five"), 20), "  1. one two three\n     four five");
    assert.equal(wrapped(printable("  --fix   mend what can be mended"), 24), "  --fix   mend what can\n          be mended");
    assert.equal(wrapped(printable("a very long head of a row   text of it"), 24), "a very long head of a\nrow   text of it");
  });

  it("colours count no columns", () => {
    const text = painter(true)("red", "one two three four");
    assert.equal(wrapped(text, 20), text);
    assert.equal(stripVTControlCharacters(wrapped(painter(true)("red", "one two three four five"), 20)), "one two three four\nfive");
  });
});

if (!hasTerminal) notRun("a report on a real terminal (util-linux's script is not on the PATH)");
else
  describe("a report on a real terminal", () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), "pack-auth-width-"));
      const field = `type: coda.AuthenticationType.WebBsic, ${"/* filler */ ".repeat(12)}`;
      const head =
        'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
      writeFileSync(join(folder, "pack.ts"), `${head}pack.setUserAuthentication({ ${field} });\n`);
    });
    after(() => rmSync(folder, { recursive: true }));

    for (const columns of [50, 120])
      it(`a terminal of ${columns} columns breaks no line of the report`, async () => {
        const { text } = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), "check"], { env: {}, cwd: folder, columns });
        const rows = stripVTControlCharacters(text).split("\r\n");
        for (const row of rows) assert.ok(columnsOf(row) <= columns, row);
        const joinedText = rows.map((row) => row.trim()).join(" ");
        assert.match(joinedText, /WebBsic is not an authentication type, so the platform rejects the pack\./);
      }).timeout(30_000);

    it("a piped report keeps each message on one line, and frames within 80 columns", async () => {
      const { out } = await callCli(["check"], { cwd: folder });
      assert.match(out, /^ {2}Did you mean WebBasic\? WebBsic is not an authentication type, so the platform rejects the pack\.$/m);
      for (const row of out.split("\n").filter((line) => line.includes(" | "))) assert.ok(columnsOf(row) <= 80, row);
    }).timeout(30_000);
  });
