// How far the parser looks into a statement before it ends the one before it: an edit beyond that leaves that one as it is.
import { ts } from "ts-morph";

/** No statement starts with more. */
const MOST_WORDS = 8;

let scanner: ts.Scanner | undefined;

/** What most statements begin with: found in a tenth of the time, and asked for at every keystroke. */
const PLAIN_HEAD = /(?:[A-Za-z_$][\w$]*[ \t\r\n]+){0,7}[A-Za-z_$][\w$]*[ \t\r\n]*(?:\.\.\.|\.(?!\d)|={1,3}>?(?![=>])|[({[;,:])/y;

/**
 * Where a statement's first words end, and the sign behind them: the statement before it may look as far as this. `export default async
 * function` is what tells the parser that a statement starts, after one that is broken.
 */
export function headEnd(text: string, start: number): number {
  PLAIN_HEAD.lastIndex = start;
  if (PLAIN_HEAD.test(text)) return PLAIN_HEAD.lastIndex;
  scanner ??= ts.createScanner(ts.ScriptTarget.Latest, true);
  scanner.setText(text, start);
  let words = 0;
  while (scanner.scan() >= ts.SyntaxKind.Identifier && words < MOST_WORDS) words++;
  return scanner.getTokenEnd();
}
