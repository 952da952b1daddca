// Measures a terminal and wraps text for it, between words and never inside one.
import { stripVTControlCharacters } from "node:util";
import { laidOut, type Printed } from "./printable.ts";

/** Columns for output that is not a terminal. */
const PIPED = 80;
/** The fewest columns, for a terminal that is narrower or does not report its width. */
const NARROWEST = 20;

/** COLUMNS wins if it is set, as in POSIX. */
export function outputWidth(stream: { readonly columns?: number }, { COLUMNS }: NodeJS.ProcessEnv): number {
  const named = /^\d{1,6}$/.test(COLUMNS ?? "") ? Number(COLUMNS) : 0;
  return Math.max(NARROWEST, named || stream.columns || PIPED);
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Printable ASCII, which most texts are: each character takes one column. */
const PLAIN = /^[ -~]*$/;

/** Returns the columns of a text without line ends on a terminal. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of stripVTControlCharacters(text)) columns += /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Wraps long lines at spaces, and indents each continuation like its line. A word that is longer than a line stays whole. */
export const wrapped = (text: Printed, width: number): Printed =>
  laidOut(text, (line) => (line.includes("\r") || columnsOf(line) <= width ? line : wrapLine(line, width)));

function wrapLine(line: string, width: number): string {
  const indent = " ".repeat(hangingIndent(stripVTControlCharacters(line), width));
  const rows: string[] = [];
  let row = "";
  let columns = 0;
  for (const word of line.match(/\s*\S+|\s+$/g) ?? []) {
    const length = columnsOf(word);
    if (row.trim() !== "" && columns + length > width) {
      rows.push(row);
      row = indent + word.trimStart();
      columns = columnsOf(row);
    } else {
      row += word;
      columns += length;
    }
  }
  return [...rows, row].join("\n");
}

/** Returns the start of the last column of a table, else the start of the line's text after its list number. */
function hangingIndent(line: string, width: number): number {
  const column = columnsOf(/^.*\S {2,}(?=\S)/.exec(line)?.[0] ?? "");
  return column > 0 && column <= width / 2 ? column : (/^\s*(?:\d+\. )?/.exec(line)?.[0].length ?? 0);
}
