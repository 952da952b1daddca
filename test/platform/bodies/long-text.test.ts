// Texts of megabytes, worked on piece by piece, come out as if they had been worked on at once.
import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeLong, encodeForm, encodeLong, piecesOf } from "../../../platform/bodies/long-text.ts";
import { RUNS } from "../../support/runs.ts";

const MEGABYTE = 1024 * 1024;

describe("Long texts in pieces", () => {
  it("a long text decodes as in one piece, wherever its characters are split", async () => {
    for (const [label, encoding] of [
      ["utf-8", "utf8"],
      ["utf-16le", "utf16le"],
      ["iso-8859-1", "latin1"],
    ] as const)
      for (const before of [MEGABYTE - 3, MEGABYTE - 2, MEGABYTE - 1, 2 * MEGABYTE - 1]) {
        const bytes = Buffer.from(`\ufeff${"x".repeat(before)}ü€😀 ${"y".repeat(MEGABYTE)}`, encoding);
        assert.ok(new TextDecoder(label).decode(bytes) === (await decodeLong(bytes, new TextDecoder(label))), `${label}, ${before}`);
      }
  });
  it("a text that ends within a character decodes as in one piece", async () => {
    const bytes = Buffer.from(`${"x".repeat(MEGABYTE)}😀`).subarray(0, -2);
    assert.ok(new TextDecoder().decode(bytes) === (await decodeLong(bytes, new TextDecoder())));
  });
  it("a long text encodes as in one piece, wherever its characters are split", async () => {
    for (const before of [0, MEGABYTE - 2, MEGABYTE - 1, MEGABYTE]) {
      const text = `${"x".repeat(before)}😀ü\ud83d${"€".repeat(MEGABYTE)}`;
      assert.ok(Buffer.concat(await encodeLong(text)).equals(Buffer.from(text)), `${before}`);
    }
  });
  it("pieces join to the whole and never end within a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (text, length) => {
        const pieces = [...piecesOf(text, length)];
        assert.equal(pieces.join(""), text);
        assert.ok(pieces.every((piece) => Buffer.from(piece).toString() === piece && piece.length <= length + 1));
      }),
      { numRuns: RUNS },
    );
  });
  it("a long form is encoded like URLSearchParams", async () => {
    const PIECE = 32 * 1024;
    const form = {
      a: `${"x".repeat(PIECE - 1)}😀 !'()*~%&=+\n${"ü ".repeat(PIECE)}`,
      "": "",
      "b c": "\ud83d",
      [`${"k".repeat(PIECE - 1)}😀`]: "1",
    };
    assert.equal(await encodeForm(form), new URLSearchParams(form).toString());
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })), async (any) => {
        assert.equal(await encodeForm(any), new URLSearchParams(any).toString());
      }),
      { numRuns: RUNS },
    );
  });
});
