// A parser for the TypeScript that packs are written in. It makes the tree that TypeScript's own parser makes, in a fraction of the time and
// of the code: a command line that runs once never gets to where that one is fast. Of anything that it is not sure about, such as what is
// rare, and every source with a mistake in its syntax, it makes nothing.
import { ts } from "ts-morph";
import { startArrows } from "./quick/arrows.ts";
import { startExpressions } from "./quick/brackets.ts";
import { leaveFunctions } from "./quick/functions.ts";
import { statement, statementList } from "./quick/statements.ts";
import * as token from "./quick/tokens.ts";
import { newTree, own, ownAll, type Tree, type Trees, Unsure } from "./quick/tree.ts";
import { startCallTypes } from "./quick/values.ts";

/** The tree of a source without JSX; undefined where TypeScript's parser has to read it. */
export const quickParse = (text: string): ts.SourceFile | undefined =>
  attempt(() => {
    startAt(text, 0);
    const statements = statementList();
    return token.at(ts.SyntaxKind.EndOfFileToken) ? sourceOf(text, statements) : undefined;
  });

/**
 * The statements from where one begins, up to the first that begins where one is known to, which is not among them, or to the end; in a
 * tree with the text of the whole. Undefined where TypeScript's parser has to read them, and where they go on beyond the limit.
 */
export const quickParseRegion = (
  text: string,
  offset: number,
  isKnown: (start: number) => boolean,
  limit: number,
): ts.SourceFile | undefined =>
  attempt(() => {
    startAt(text, offset);
    const statements: Tree[] = [];
    while (!token.at(ts.SyntaxKind.EndOfFileToken) && !isKnown(token.full)) {
      if (token.full > limit || token.at(ts.SyntaxKind.CloseBraceToken)) return undefined;
      statements.push(statement());
    }
    return sourceOf(text, statements);
  });

function startAt(text: string, offset: number): void {
  startArrows();
  startCallTypes();
  startExpressions();
  leaveFunctions();
  token.startWith(text, offset);
}

/** At the token behind the statements. */
function sourceOf(text: string, statements: Trees): ts.SourceFile {
  const end = newTree(ts.SyntaxKind.EndOfFileToken, token.full, token.start, token.end);
  const source = newTree(ts.SyntaxKind.SourceFile, 0, statements[0]?.start ?? end.start, text.length);
  source.text = text;
  source.longTexts = token.longTexts;
  source.statements = ownAll(source, statements);
  source.endOfFileToken = own(source, end);
  return source as unknown as ts.SourceFile;
}

function attempt(read: () => ts.SourceFile | undefined): ts.SourceFile | undefined {
  try {
    return read();
  } catch (error) {
    // What is too deep for this one may not be too deep for the other.
    if (error instanceof Unsure || error instanceof RangeError) return undefined;
    throw error;
  }
}
