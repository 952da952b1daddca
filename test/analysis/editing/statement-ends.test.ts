// Where the parser ends a statement may hang on text far behind it: what is kept over an edit is what a new source of the same text has.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { createSource } from "../../../server/analysis/source/source.ts";
import { factsAsText } from "../../support/facts-as-text.ts";
import { readTable } from "../../support/json-cases.ts";
import { RUNS } from "../../support/runs.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';

type Edit = readonly [at: number, length: number, put: string];

/** Looks at the facts before the first edit and after each. */
function assertEditedAsFresh(file: string, first: string, edits: readonly Edit[]): void {
  const source = createSource(file, first);
  factsAsText(source);
  let text = first;
  for (const [at, length, put] of edits) {
    const start = Math.min(at, text.length);
    const end = Math.min(start + length, text.length);
    source.edit({ start, end, text: put });
    text = text.slice(0, start) + put + text.slice(end);
    assert.equal(factsAsText(source), factsAsText(createSource(file, text)), JSON.stringify(text));
  }
}

/** `‸` is where the edit puts its text, or where it takes it away. */
function assertSame(marked: string, put: string): void {
  const at = HEAD.length + marked.indexOf("‸");
  const text = HEAD + marked.replace("‸", "");
  const edited = HEAD + marked.replace("‸", put);
  for (const file of ["/pack/pack.ts", "/pack/pack.tsx", "/pack/pack.js"]) {
    assertEditedAsFresh(file, text, [[at, 0, put]]);
    assertEditedAsFresh(file, edited, [[at, put.length, ""]]);
  }
}
const SET = "pack.setUserAuthentication({ type: 1 })";

const CASES = readTable("test/analysis/editing/cases/statement-ends.json", z.record(z.string(), z.tuple([z.string(), z.string()])));

/** What makes the parser look ahead, what makes it go back, and what the facts tell of. */
const PIECES = [
  ..."(){}[]<>:,;=?/`'\"!*+#\\ \n",
  ";\n",
  ") => ",
  "=> {\n",
  "(a, b",
  "(a, b)",
  "(a)",
  ": {\n",
  "c: string;\n",
  "}) => 1",
  "a<b",
  "a<",
  "<T, U>(",
  "<div>",
  "</div>",
  "/>",
  "${",
  "*/",
  "/*",
  "//\n",
  "?.",
  "...",
  "<<<<<<< a\n",
  "=======\n",
  ">>>>>>> b\n",
  ...(
    "async keyof typeof unique readonly infer asserts is new abstract class function type interface enum namespace module declare export " +
    "default import from let const using await yield return if else for of in as satisfies extends do while try catch case switch get set " +
    "static accessor global"
  )
    .split(" ")
    .map((word) => `${word} `),
  "@d ",
  '"x"',
  "const a = 1;\n",
  `${SET};\n`,
  `${SET}, `,
  "import a from 'a';\n",
  "export const b = 1;\n",
  "const g = (a: {\n  b: string;\n  c: number;\n}, d) => {\n  return a;\n};\n",
  "export const h = f<{\n  b: string;\n}>(1);\n",
  `if (a) {\n  ${SET};\n}\n`,
  `pack.setUserAuthentication({\n${"  a: 1,\n".repeat(14)}});\n`,
];

describe("the ends of statements", function () {
  this.timeout(300_000);

  for (const [what, [marked, put]] of Object.entries(CASES))
    it(`statement ends equal those of a fresh parse after an edit: ${what}`, () => assertSame(marked, put));

  it("statement ends equal those of a fresh parse after temporary nesting", () => {
    for (const before of ["{ ", "function g() { ", "if (a) { b(); } else { "])
      assertEditedAsFresh("/pack/pack.ts", "a();\nexport const c = d;\n}\n", [
        [0, 0, before],
        [0, before.length, ""],
      ]);
  });

  it("statement ends equal those of a fresh parse, for any syntax", () => {
    const piece = fc.constantFrom(...PIECES);
    const some = (maxLength: number) => fc.array(piece, { minLength: 1, maxLength, size: "max" }).map((pieces) => pieces.join(""));
    const edit = fc.tuple(fc.nat(400), fc.constantFrom(0, 0, 0, 1, 1, 3, 10), fc.oneof({ weight: 3, arbitrary: some(3) }, fc.constant("")));
    const file = fc.constantFrom("/pack/pack.ts", "/pack/pack.ts", "/pack/pack.tsx", "/pack/pack.js");
    fc.assert(
      fc.property(file, fc.constantFrom(HEAD, ""), some(12), fc.array(edit, { minLength: 1, maxLength: 5 }), (path, head, text, edits) => {
        assertEditedAsFresh(
          path,
          head + text,
          edits.map(([at, length, put]) => [head.length + (at % (text.length + 1)), length, put]),
        );
      }),
      { numRuns: RUNS },
    );
  });
});
