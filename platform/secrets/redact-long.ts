// Masks texts and bytes of any length in pieces, so that the host's event loop is not blocked. The pieces overlap by the longest form of a
// secret, so that no secret is missed at an edge.

import { startSlices } from "../slices.ts";
import { MASK, type Range, type Redactor } from "./redact.ts";

/** Characters of a piece; scanning it takes a few milliseconds. */
const PIECE = 64 * 1024;

/** Parts of a text that are joined at once. */
const MOST_PARTS = 4_096;

/** Returns the masked text. */
export async function redactText(text: string, redactor: Redactor): Promise<string> {
  if (text.length <= PIECE) return redactor.redact(text);
  const ranges = await rangesIn(text.length, (from, to) => text.slice(from, to), redactor);
  if (ranges.length === 0) return text;
  const slices = startSlices();
  const parts: string[] = [];
  let few: string[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    few.push(text.slice(from, start), MASK);
    from = end;
    if (few.length < MOST_PARTS) continue;
    parts.push(few.join(""));
    few = [];
    if (slices.isOver()) await slices.next();
  }
  return [...parts, ...few, text.slice(from)].join("");
}

/** Returns the masked bytes; their number stays the same. */
export async function redactBytes(bytes: Uint8Array, redactor: Redactor): Promise<Uint8Array> {
  if (bytes.length <= PIECE) return redactor.redactBytes(bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ranges = await rangesIn(bytes.length, (from, to) => buffer.toString("latin1", from, to), redactor);
  if (ranges.length === 0) return bytes;
  const result = new Uint8Array(bytes);
  for (const { start, end } of ranges) result.fill(0x2a, start, end);
  return result;
}

/** Returns whether a text, given in pieces, contains a secret in any form. */
export async function findsSecret(pieces: Iterable<string>, redactor: Redactor): Promise<boolean> {
  const { reach } = redactor;
  const slices = startSlices();
  let tail = "";
  for (const piece of pieces) {
    const window = tail + piece;
    if (redactor.finds(window)) return true;
    tail = reach === 0 ? "" : window.slice(-reach);
    if (slices.isOver()) await slices.next();
  }
  return false;
}

/** Returns the ranges of secrets, in order and without overlap; `windowOf` returns a part of the text. */
async function rangesIn(length: number, windowOf: (from: number, to: number) => string, redactor: Redactor): Promise<readonly Range[]> {
  const ranges: Range[] = [];
  const slices = startSlices();
  for (let at = 0; at < length; at += PIECE) {
    for (const { start, end } of redactor.ranges(windowOf(at, at + PIECE + redactor.reach))) {
      // A secret that begins after the piece is found whole in the next one.
      if (start >= PIECE) break;
      const last = ranges.at(-1);
      if (last !== undefined && at + start < last.end) last.end = Math.max(last.end, at + end);
      else ranges.push({ start: at + start, end: at + end });
    }
    if (slices.isOver()) await slices.next();
  }
  return ranges;
}
