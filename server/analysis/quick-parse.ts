// A parser for the TypeScript that packs are written in. It makes the tree that TypeScript's own parser makes, in a fraction of the time and
// of the code: a command line that runs once never gets to where that one is fast. Of anything that it is not sure about, such as what is
// rare, and every source with a mistake in its syntax, it makes nothing.
import { ts } from "ts-morph";
import { startExpressions } from "./quick/expressions.ts";
import { leaveFunctions } from "./quick/functions.ts";
import { statementList } from "./quick/statements.ts";
import * as token from "./quick/tokens.ts";
import { own, ownAll, Tree, Unsure } from "./quick/tree.ts";

/** The tree of a source without JSX; undefined where TypeScript's parser has to read it. */
export function quickParse(text: string): ts.SourceFile | undefined {
  try {
    startExpressions();
    leaveFunctions();
    token.startWith(text);
    const statements = statementList();
    if (token.kind !== ts.SyntaxKind.EndOfFileToken) return undefined;
    const end = new Tree(ts.SyntaxKind.EndOfFileToken, token.full, token.start, token.end);
    const source = new Tree(ts.SyntaxKind.SourceFile, 0, statements[0]?.start ?? end.start, text.length);
    source.text = text;
    source.statements = ownAll(source, statements);
    source.endOfFileToken = own(source, end);
    return source as unknown as ts.SourceFile;
  } catch (error) {
    // What is too deep for this one may not be too deep for the other.
    if (error instanceof Unsure || error instanceof RangeError) return undefined;
    throw error;
  }
}
