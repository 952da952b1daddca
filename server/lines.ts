// Where the lines of a text start. An edit moves what it touches: to look through the whole text at each key would cost more than the rest
// of a reply does.
import type { OffsetEdit } from "./analysis/analysis.ts";

interface Known {
  text: string;
  /** Ascending offsets; the first is 0. */
  readonly starts: number[];
}

/** More files than anybody looks at at the same time. */
const MOST_KNOWN = 8;
/** The last one asked for comes first. */
const known: Known[] = [];

/** The offsets at which lines start; the last few texts are remembered. */
export function linesOf(text: string): readonly number[] {
  return recall(text).starts;
}

/** Tells that `after` came of `before` by this edit. */
export function linesChanged(before: string, { start, end, text }: OffsetEdit, after: string): void {
  const lines = known.find((entry) => entry.text === before);
  if (lines === undefined) return;
  lines.text = after;
  const { starts } = lines;
  // Whether a line starts at an offset is told by the two characters around it: all between and at the ends of the edit is looked at anew.
  const kept = Math.max(1, lineAt(starts, start - 1) + 1);
  const behind = Math.max(kept, lineAt(starts, end) + 1);
  const come: number[] = [];
  for (let offset = Math.max(1, start); offset <= start + text.length && offset <= after.length; offset++)
    if (startsLine(after, offset)) come.push(offset);
  const by = text.length - (end - start);
  if (come.length === behind - kept) {
    for (let index = 0; index < come.length; index++) starts[kept + index] = come[index] ?? 0;
    if (by !== 0) for (let line = behind; line < starts.length; line++) starts[line] = (starts[line] ?? 0) + by;
    return;
  }
  const rest = starts.slice(behind);
  starts.length = kept;
  for (const offset of come) starts.push(offset);
  for (const offset of rest) starts.push(offset + by);
}

/** The last line that starts at or before the offset. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function recall(text: string): Known {
  const [last] = known;
  if (last?.text === text) return last;
  const index = known.findIndex((entry) => entry.text === text);
  const found = known[index] ?? { text, starts: scan(text) };
  if (index >= 0) known.splice(index, 1);
  else if (known.length >= MOST_KNOWN) known.pop();
  known.unshift(found);
  return found;
}

function scan(text: string): number[] {
  const starts = [0];
  if (text.includes("\r")) {
    for (let offset = 1; offset <= text.length; offset++) if (startsLine(text, offset)) starts.push(offset);
  } else for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const NEWLINE = 10;
const RETURN = 13;

/** A line ends with \n, \r\n or \r (LSP 3.17, Text Documents). */
function startsLine(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  return before === NEWLINE || (before === RETURN && text.charCodeAt(offset) !== NEWLINE);
}
