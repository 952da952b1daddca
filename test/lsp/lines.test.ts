// Where lines start, kept while a text is edited: always what the text alone tells.
import assert from "node:assert/strict";
import fc from "fast-check";
import { linesChanged, linesOf } from "../../server/lines.ts";

const RUNS = Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? 500);

/** As the specification has it: a line ends with \n, \r\n or \r. */
const startsOf = (text: string): number[] => [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ 0: end, index }) => index + end.length)];

const piece = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\r\n", "𝒳"), maxLength: 12 });

describe("lines of a text", () => {
  it("start behind each kind of end", () => {
    assert.deepEqual(linesOf("a\nb\r\nc\rd\n\r\re\r"), [0, 2, 5, 7, 9, 10, 11, 13]);
    assert.deepEqual(linesOf(""), [0]);
  });

  it("are the same after edits as in a text that was never edited", () => {
    fc.assert(
      fc.property(piece, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 6 }), piece), { maxLength: 8 }), (initial, edits) => {
        let current = initial;
        linesOf(current);
        for (const [place, length, text] of edits) {
          const start = place % (current.length + 1);
          const end = Math.min(current.length, start + length);
          const after = current.slice(0, start) + text + current.slice(end);
          linesChanged(current, { start, end, text }, after);
          assert.deepEqual(linesOf(after), startsOf(after));
          current = after;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("are known of several texts at once", () => {
    const texts = Array.from({ length: 20 }, (_, count) => "x\n".repeat(count));
    for (let round = 0; round < 2; round++) for (const text of texts) assert.deepEqual(linesOf(text), startsOf(text));
    linesChanged("never seen", { start: 0, end: 0, text: "\n" }, "\nnever seen");
    assert.deepEqual(linesOf("\nnever seen"), [0, 1]);
  });
});
