// The line that a finding is in, with its neighbours and a mark below it. What a terminal would act upon is shown, not sent.
import type { Paint } from "../../terminal/colour.ts";
import { type Printed, printable, told } from "../../terminal/printable.ts";
import { lineStarts, rangeOf } from "../lines.ts";

/** The most columns of a source line that are shown. */
const WIDEST = 160;

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** One sign for each of those that a terminal would act upon, so that the mark below stands where it should; on one line. */
export const visible = (text: string): Printed => printable(text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd"));

/** Indented by two; ends with a line end. */
export function codeFrame(text: string, span: { readonly start: number; readonly end: number }, paint: Paint): Printed {
  const { start, end } = rangeOf(text, span);
  const starts = lineStarts(text);
  const lineAt = (number: number): string => withoutBreak(text, starts[number] ?? 0, starts[number + 1] ?? text.length);
  const line = lineAt(start.line);
  // In a line that is too wide, what is flagged stands a third from the left.
  const from = line.length <= WIDEST ? 0 : Math.max(0, Math.min(start.character - WIDEST / 3, line.length - WIDEST));
  const cut = (source: string): string => {
    const part = source.slice(from, from + WIDEST);
    return `${from > 0 ? "…" : ""}${shown(part)}${source.length > from + WIDEST ? "…" : ""}`.trimEnd();
  };
  const last = Math.min(starts.length - 1, start.line + 1);
  const width = String(last + 1).length;
  const gutter = (number: number): Printed => paint("dim", `${String(number + 1).padStart(width)} |`);
  const row = (number: number): Printed => {
    const source = cut(lineAt(number));
    return told`  ${gutter(number)}${printable(source === "" ? "" : ` ${source}`)}\n`;
  };
  const before = columns(line.slice(from, start.character)) + (from > 0 ? 1 : 0);
  const stop = end.line === start.line ? end.character : line.length;
  const length = Math.max(1, columns(line.slice(start.character, Math.min(stop, from + WIDEST))));
  const mark = told`  ${printable(" ".repeat(width))} ${paint("dim", "|")} ${printable(" ".repeat(before))}${paint("red", "^".repeat(length))}\n`;
  return told`${start.line > 0 ? row(start.line - 1) : told``}${row(start.line)}${mark}${last > start.line ? row(last) : told``}`;
}

/** Looked at from its end: a pattern would go through the whole of a long line for each finding in it. */
function withoutBreak(text: string, start: number, end: number): string {
  let last = end;
  while (last > start && (text[last - 1] === "\n" || text[last - 1] === "\r")) last--;
  return text.slice(start, last);
}

const shown = (source: string): string => visible(source.replaceAll("\t", "  "));

/** How wide a text is on a terminal. */
function columns(source: string): number {
  let width = 0;
  for (const char of shown(source)) width += /\p{M}/u.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return width;
}
