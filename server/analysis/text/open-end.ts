// Statements that end where they do because of text far behind them: the parser tries arrow functions and type arguments to their end, however
// far that is, and goes back where they are none. What it then comes to is a mistake right behind the statement, or at its semicolon.
import type { ts } from "ts-morph";
import { skipTrivia } from "./edit.ts";

/** TypeScript's number for a regular expression that has no end: where it is taken to end hangs on all of its line. */
const UNTERMINATED_REGULAR_EXPRESSION = 1161;

/** Words that are names at the end of a statement, and operators of a type if the text behind it makes a type of all. */
const TYPE_OPERATOR = /\b(?:keyof|unique|readonly|abstract)$/;
const LONGEST_OPERATOR = 8;

/** Where the first statement of the source begins that an edit anywhere behind it may end elsewhere. */
export function firstOpenEnd(source: ts.SourceFile): number {
  const { statements, text } = source;
  let first = statements.findIndex(({ end }) => TYPE_OPERATOR.test(text.slice(Math.max(0, end - LONGEST_OPERATOR), end)));
  if (first < 0) first = statements.length;
  for (const { start, code } of mistakesIn(source)) {
    const index = countUpTo(statements, start);
    const [before, within] = [statements[index - 1], statements[index]];
    if (before !== undefined && start <= skipTrivia(text, before.end)) first = Math.min(first, index - 1);
    if (within !== undefined && (code === UNTERMINATED_REGULAR_EXPRESSION || (start === within.end - 1 && text[start] === ";")))
      first = Math.min(first, index);
  }
  return statements[first]?.pos ?? text.length;
}

/** How many of the statements end at the offset or before it. */
function countUpTo(statements: readonly ts.Statement[], offset: number): number {
  let low = 0;
  let high = statements.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((statements[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the parser found wrong: it stands in a field that its types leave out. */
export const mistakesIn = (source: ts.SourceFile): readonly ts.DiagnosticWithLocation[] =>
  (source as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics ?? [];
