// A text → its tree, and the tree after an edit; whether it has syntax errors.
import type { SyntaxMistake } from "../model/facts.ts";
import { ts } from "../typescript.ts";
import { skipTrivia } from "./edit.ts";
import { Involved, isInvolved } from "./involved.ts";

/** What edits have made of a part of a tree's text. */
export interface Edited {
  readonly start: number;
  /** In the tree's text. */
  readonly end: number;
  /** Of what stands there now. */
  readonly length: number;
}

/** Throws RangeError where the source is too deep to be parsed, and {@link Involved} where that would take too long. */
export const parse = (file: string, text: string): ts.SourceFile => {
  assertReadable(file, text);
  return parseText(file, text, true);
};

/** The tree as it is after an edit; the one before may not be looked at any more. Throws as {@link parse} does. */
export function update(tree: ts.SourceFile, text: string, { start, end, length }: Edited): ts.SourceFile {
  assertReadable(tree.fileName, text, { start, end: start + length });
  // TypeScript looks back over one token. Where it had looked further ahead, it has to look again.
  const from = Math.min(start, firstOpenEnd(tree));
  if (end - from > MOST_READ_AGAIN || mistakesIn(tree).length > MOST_RETAINED_MISTAKES) return parseText(tree.fileName, text, true);
  return withMarks(ts.updateSourceFile(tree, text, { span: { start: from, length: end - from }, newLength: start - from + length }));
}

/**
 * TypeScript keeps no node in which something is wrong, and knows that by a mark on it. With a token that no node keeps, such as the dots of
 * `{ a...b }`, the mark is lost; with the node that is kept for that, the mistake would be.
 */
function withMarks(tree: ts.SourceFile): ts.SourceFile {
  for (const { start } of mistakesIn(tree)) {
    const mark = (node: ts.Node): void => {
      if (node.pos > start || start > node.end) return;
      (node as { flags: ts.NodeFlags }).flags |= MARK;
      ts.forEachChild(node, mark);
    };
    // One that is found between two is of either.
    const index = countUpTo(tree.statements, start);
    for (const statement of tree.statements.slice(Math.max(0, index - 1), index + 1)) mark(statement);
  }
  return tree;
}

const MARK = ts.NodeFlags.ThisNodeOrAnySubNodesHasError | ts.NodeFlags.HasAggregatedChildData;

/**
 * For each node that it cannot keep (nothing that is wrong is kept), TypeScript goes through whole lists of the old tree to find where it
 * stood. Past so many characters, or mistakes, to read the whole source is faster.
 */
const MOST_READ_AGAIN = 1_000;
const MOST_RETAINED_MISTAKES = 200;

/**
 * Of a longer text, what the parser finds wrong at its beginning, and in a few pieces, tells how long it would be busy with all that is
 * wrong.
 */
const LONG = 200_000;
const PIECES = 16;
const PIECE = 2_000;
const BEGINNING = 8;
/** Mistakes that take the parser about half a second. */
const MOST_MISTAKES = 20_000;

function assertReadable(file: string, text: string, changedPart?: { readonly start: number; readonly end: number }): void {
  if (isInvolved(text, changedPart)) throw new Involved();
  if (text.length <= LONG) return;
  let mistakes = 0;
  for (let piece = 0; piece < PIECES; piece++) {
    const start = Math.floor((piece * (text.length - PIECE)) / (PIECES - 1));
    mistakes += mistakesIn(parseText(file, text.slice(start, start + PIECE), false)).length;
  }
  const beginning = Math.floor(text.length / BEGINNING);
  const first = mistakesIn(parseText(file, text.slice(0, beginning), false)).length * BEGINNING;
  if (first > MOST_MISTAKES || (mistakes * text.length) / (PIECES * PIECE) > MOST_MISTAKES) throw new Involved();
}

function parseText(file: string, text: string, parents: boolean): ts.SourceFile {
  // Modules would be parsed twice where `await` stands at their top level; this way it is known by what follows it, wherever it is.
  const options = { ...PARSING, setExternalModuleIndicator: () => {} };
  const tree = ts.createSourceFile(file, text, options, parents, scriptKind(file));
  return parents ? withMarks(tree) : tree;
}

/** Comments say nothing that is read, and are most of some declarations. */
export const PARSING: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

function scriptKind(file: string): ts.ScriptKind {
  if (/\.json$/i.test(file)) return ts.ScriptKind.JSON;
  if (/\.tsx$/i.test(file)) return ts.ScriptKind.TSX;
  if (/\.jsx$/i.test(file)) return ts.ScriptKind.JSX;
  return /\.[cm]?js$/i.test(file) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

/** TypeScript's number for a regular expression that has no end: where it is taken to end hangs on all of its line. */
const UNTERMINATED_REGULAR_EXPRESSION = 1161;

/** Words that are names at the end of a statement, and operators of a type if the text behind it makes a type of all. */
const TYPE_OPERATOR = /\b(?:keyof|unique|readonly|abstract)$/;
const LONGEST_OPERATOR = 8;

/** Where the first statement of the source begins that an edit anywhere behind it may end elsewhere. */
function firstOpenEnd(source: ts.SourceFile): number {
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

/** TypeScript's number of "Declaration or statement expected. This '=' follows a block of statements, so if you intended …". */
const GUESSES_ASSIGNMENT = 2809;

/** The others may be its consequences. */
export function firstMistake(source: ts.SourceFile): SyntaxMistake | undefined {
  const [first] = mistakesIn(source);
  if (first === undefined) return undefined;
  const { start, length, messageText, code } = first;
  const text = ts.flattenDiagnosticMessageText(messageText, " ");
  // With a guess, which hangs on what the parser has read just before: after an edit that may be less than all.
  const message = code === GUESSES_ASSIGNMENT ? text.slice(0, text.indexOf(". ") + 1) : text;
  return { file: source.fileName, start, end: start + length, message };
}

/** Whether a source is free of syntax errors. */
export function parses(file: string, text: string): boolean {
  try {
    return mistakesIn(parse(file, text)).length === 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
