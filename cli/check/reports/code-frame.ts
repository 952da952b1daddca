// Renders the line of a finding with its neighbours and a mark below it. Control characters are shown as signs instead of sent to the
// terminal.

import { lineStarts, rangeOf } from "../../../server/analysis/text/lines.ts";
import type { Paint } from "../../terminal/colour.ts";
import { formatMessage, type Printed, printable } from "../../terminal/printable.ts";
import { columnsOf } from "../../terminal/width.ts";

/** The most columns of a source line, however wide the terminal is. */
const WIDEST = 160;
/** The fewest columns of a source line, however narrow the terminal is. */
const NARROWEST = 20;

/** Replaces each control character by one sign, so that the text stays on one line and the mark below it stays aligned. */
export const visible = (text: string): Printed => printable(text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd"));

/** Returns lines that are indented by two and at most `width` columns wide, with a line end after the last one. */
export function codeFrame(text: string, span: { readonly start: number; readonly end: number }, paint: Paint, width: number): Printed {
  const { start, end } = rangeOf(text, span);
  const starts = lineStarts(text);
  const lineAt = (number: number): string => withoutBreak(text, starts[number] ?? 0, starts[number + 1] ?? text.length);
  const line = lineAt(start.line);
  const last = Math.min(starts.length - 1, start.line + 1);
  const digits = String(last + 1).length;
  // Each row also needs the line number, its margins, and a sign at each end that is cut.
  const room = Math.max(NARROWEST, Math.min(WIDEST, width - digits - 7));
  const from = firstShown(line, start.character, room);
  const cut = (source: string): string => {
    const part = beginning(source.slice(from), room);
    return `${from > 0 ? "…" : ""}${formatSource(part)}${source.length > from + part.length ? "…" : ""}`.trimEnd();
  };
  const gutter = (number: number): Printed => paint("dim", `${String(number + 1).padStart(digits)} |`);
  const row = (number: number): Printed => {
    const source = cut(lineAt(number));
    return formatMessage`  ${gutter(number)}${printable(source === "" ? "" : ` ${source}`)}\n`;
  };
  const before = columnsOf(formatSource(line.slice(from, start.character)));
  const flagged = line.slice(start.character, end.line === start.line ? end.character : line.length);
  const length = Math.max(1, columnsOf(formatSource(beginning(flagged, room - before))));
  const margin = " ".repeat(before + (from > 0 ? 1 : 0));
  const mark = formatMessage`  ${printable(" ".repeat(digits))} ${paint("dim", "|")} ${printable(margin)}${paint("red", "^".repeat(length))}\n`;
  return formatMessage`${start.line > 0 ? row(start.line - 1) : formatMessage``}${row(start.line)}${mark}${last > start.line ? row(last) : formatMessage``}`;
}

/**
 * Returns the first character to show. In a line that is too wide the finding starts a third from the left, or further right near the
 * line's end.
 */
function firstShown(line: string, flagged: number, room: number): number {
  if (beginning(line, room) === line) return 0;
  const behind = columnsOf(formatSource(beginning(line.slice(flagged), room)));
  const before = Math.max(Math.floor(room / 3), room - behind);
  let from = flagged;
  for (let columns = 0; from > 0; from--) {
    columns += columnsOf(formatSource(line.charAt(from - 1)));
    if (columns > before) break;
  }
  return from;
}

/** Returns the longest beginning of a text that fits into the columns. */
function beginning(text: string, columns: number): string {
  let left = columns;
  let length = 0;
  for (const character of text) {
    left -= columnsOf(formatSource(character));
    if (left < 0) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/** Removes the line break by hand, from the end: a pattern would scan the whole of a long line for each finding in it. */
function withoutBreak(text: string, start: number, end: number): string {
  let last = end;
  while (last > start && (text[last - 1] === "\n" || text[last - 1] === "\r")) last--;
  return text.slice(start, last);
}

const formatSource = (source: string): string => visible(source.replaceAll("\t", "  "));
