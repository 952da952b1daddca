// Converts offsets to lines and characters, for reports.
import type { Position, Range } from "../../../protocol/editor.ts";

/** The text of the last call: a report handles one file after the other. */
let last: { readonly text: string; readonly starts: readonly number[] } = { text: "", starts: [0] };

/** Returns the offsets at which the lines begin. Lines end with \n, \r\n or \r (LSP 3.17, Position). */
export function lineStarts(text: string): readonly number[] {
  if (last.text !== text) {
    const starts = [0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
    last = { text, starts };
  }
  return last.starts;
}

/** Returns a zero-based position in UTF-16 code units, as in LSP. */
export function positionAt(text: string, offset: number): Position {
  const starts = lineStarts(text);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - (starts[low] ?? 0) };
}

export const rangeOf = (text: string, span: { readonly start: number; readonly end: number }): Range => ({
  start: positionAt(text, span.start),
  end: positionAt(text, span.end),
});
