// Statements that end where they do because of text far behind them.
import type { ts } from "ts-morph";
import { skipTrivia } from "./edit.ts";

/** TypeScript's number for a regular expression that has no end: where it is taken to end hangs on all of its line. */
const UNTERMINATED_REGULAR_EXPRESSION = 1161;

/** Words that are names at the end of a statement, and operators of a type if the text behind it makes a type of all. */
const TYPE_OPERATOR = /\b(?:keyof|unique|readonly|abstract)$/;
const LONGEST_OPERATOR = 8;

/**
 * Those of a source's statements behind which the parser may have looked further than at the first words: it tries arrow functions and
 * type arguments to their end, however far that is, and goes back where they are none. What it then comes to is a mistake right behind
 * the statement, or at its semicolon; brackets that close in the statement keep it from looking beyond.
 */
export function openEnds(source: ts.SourceFile): ReadonlySet<ts.Statement> {
  const found = new Set<ts.Statement>();
  const { statements, text } = source;
  for (const statement of statements) if (endsInTypeOperator(text, statement.end)) found.add(statement);
  let before: ts.Statement | undefined;
  let behind = 0;
  for (const { start, code } of mistakesIn(source)) {
    const index = countUpTo(statements, start);
    const within = statements[index];
    if (within !== undefined && (code === UNTERMINATED_REGULAR_EXPRESSION || (start === within.end - 1 && text[start] === ";")))
      found.add(within);
    if (before !== statements[index - 1]) {
      before = statements[index - 1];
      behind = skipTrivia(text, before?.end ?? 0);
    }
    if (before !== undefined && start <= behind) found.add(before);
  }
  return found;
}

function endsInTypeOperator(text: string, end: number): boolean {
  // Nearly all end with a sign.
  const last = text[end - 1];
  return last !== ";" && last !== "}" && TYPE_OPERATOR.test(text.slice(Math.max(0, end - LONGEST_OPERATOR), end));
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
const mistakesIn = (source: ts.SourceFile): readonly ts.DiagnosticWithLocation[] =>
  (source as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics ?? [];
