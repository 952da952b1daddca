// Offsets and positions, in each encoding, against what the specification says; and changes that come one after the other.
import assert from "node:assert/strict";
import fc from "fast-check";
import { TextDocument } from "vscode-languageserver-textdocument";
import { applyChanges, createPositions, type Encoding } from "../../server/positions.ts";
import { RUNS } from "../support/runs.ts";

const WIDTHS: Readonly<Record<Encoding, (text: string) => number>> = {
  "utf-8": (text) => Buffer.byteLength(text),
  "utf-16": (text) => text.length,
  "utf-32": (text) => [...text].length,
};

const documentOf = (of: string): TextDocument => TextDocument.create("", "", 0, of);

const text = fc.string({ unit: fc.constantFrom("a", "ü", "\n", "\r", "\r\n", "𝒳"), maxLength: 12 });
const encoding = fc.constantFrom<Encoding>("utf-8", "utf-16", "utf-32");

/** From where, to where, what is typed there, and whether it replaces all. */
const changesOf = fc.array(
  fc.tuple(
    fc.nat(),
    fc.nat(),
    text,
    fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  ),
  { maxLength: 8 },
);

/** Each line with the offset at which it starts, without its end: \n, \r\n or \r. */
const linesOf = (of: string) => [...of.matchAll(/(?<=^|\r\n|\n|\r(?!\n))[^\r\n]*/g)].map(({ 0: line, index }) => ({ line, start: index }));

/** Every place that a cursor can have. */
const placesIn = (of: string, width: (part: string) => number) =>
  linesOf(of).flatMap(({ line, start }, index) => {
    const chars = [...line];
    return [...chars, ""].map((_, count) => {
      const before = chars.slice(0, count).join("");
      return { offset: start + before.length, position: { line: index, character: width(before) } };
    });
  });

describe("positions", () => {
  it("positions follow the specification both ways, at every letter of every line", () =>
    fc.assert(
      fc.property(text, encoding, (of, by) => {
        const positions = createPositions(() => documentOf(of), by);
        for (const { offset, position } of placesIn(of, WIDTHS[by])) {
          assert.deepEqual(positions.position("", offset), position);
          assert.equal(positions.offset("", position), offset);
        }
      }),
      { numRuns: RUNS },
    ));

  it("positions beyond a line's or the text's end are that end", () =>
    fc.assert(
      fc.property(text, encoding, (of, by) => {
        const positions = createPositions(() => documentOf(of), by);
        const lines = linesOf(of);
        for (const [index, { line, start }] of lines.entries())
          assert.equal(positions.offset("", { line: index, character: 1_000 }), start + line.length);
        assert.equal(positions.offset("", { line: lines.length, character: 0 }), of.length);
      }),
      { numRuns: RUNS },
    ));

  it("each change applies to the text that the change before left", () =>
    fc.assert(
      fc.property(text, encoding, fc.boolean(), changesOf, (initial, by, isOrdered, randomChanges) => {
        let current = initial;
        let last = placesIn(current, WIDTHS[by]).length;
        const changes = randomChanges.map(([from, to, typed, isWhole]) => {
          if (isWhole) {
            current = typed;
            last = placesIn(current, WIDTHS[by]).length;
            return { text: typed };
          }
          const places = placesIn(current, WIDTHS[by]);
          // From the end to the start, as editors send many of them, or as it comes.
          const below = isOrdered ? Math.max(1, last) : places.length;
          const [start, end] = [places[from % below], places[to % below]];
          last = Math.min(from % below, to % below);
          if (start === undefined || end === undefined) throw new Error("a text without a place");
          current = current.slice(0, start.offset) + typed + current.slice(Math.max(start.offset, end.offset));
          return { range: { start: start.position, end: end.position }, text: typed };
        });
        const document = documentOf(initial);
        const edits = applyChanges(document, changes, 7, by);
        const edited = edits.reduce((before, edit) => before.slice(0, edit.start) + edit.text + before.slice(edit.end), initial);
        assert.equal(edited, current);
        assert.equal(document.getText(), current);
        assert.equal(document.version, 7);
        // The document's lines are those of its text.
        const positions = createPositions(() => document, by);
        for (const { offset, position } of placesIn(current, WIDTHS[by])) assert.deepEqual(positions.position("", offset), position);
      }),
      { numRuns: RUNS },
    ));
});
