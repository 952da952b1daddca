// How far the parser may look into a statement: never less than its own scanner says, or an edit there would leave the statement before as
// it was.
import assert from "node:assert/strict";
import fc from "fast-check";
import { ts } from "ts-morph";
import { headEnd } from "../../server/analysis/head-end.ts";

const PIECES = [
  ..."=>.,:;(){}[]<|/#@!-\"'`59 \n\t$_é",
  ...["pack", "x", "export", "const", "async", "===", "=>", "...", ".5", "5.55", "\\u0041", "//", "/* */", "\n=======", "<<<<<<<"],
];

/** Up to the sign behind the first eight words, by the compiler's scanner alone. */
function scannedEnd(text: string): number {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true);
  scanner.setText(text);
  for (let words = 0; scanner.scan() >= ts.SyntaxKind.Identifier && words < 8; words++);
  return scanner.getTokenEnd();
}

describe("the head of a statement", () => {
  for (const [text, head] of [
    ["pack.addFormula({", "pack."],
    ["export default async function run(", "export default async function run("],
    ["const x => y", "const x =>"],
    ["import\n  type { X }", "import\n  type {"],
    ["/* a */ pack.x", "/* a */ pack."],
    ["a /* b */ .c", "a /* b */ ."],
  ] as const)
    it(`of ${JSON.stringify(text)}`, () => assert.equal(text.slice(0, headEnd(text, 0)), head));

  it("is no shorter than the scanner says, whatever stands there", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }), (pieces) => {
        const text = pieces.join("").trimStart();
        assert.ok(headEnd(text, 0) >= scannedEnd(text), JSON.stringify(text));
      }),
      { numRuns: Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? 20_000) },
    );
  });
});
