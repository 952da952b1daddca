// Parses a text, updates its tree after an edit, and finds its syntax errors.
import type { SyntaxMistake } from "../model/facts.ts";
import { ts } from "../typescript.ts";
import { skipTrivia } from "./edit.ts";
import { Involved, isInvolved } from "./involved.ts";

/** An edited part of a tree's text. */
export interface Edited {
  readonly start: number;
  /** The end in the tree's text. */
  readonly end: number;
  /** The length of the new text. */
  readonly length: number;
}

/** Parses a text. Throws RangeError if the source is too deep to be parsed, and {@link Involved} if parsing would take too long. */
export const parse = (file: string, text: string): ts.SourceFile => {
  assertReadable(file, text);
  return parseText(file, text, true);
};

/** Returns the tree after an edit; the previous tree must not be used any more. Throws like {@link parse}. */
export function update(tree: ts.SourceFile, text: string, { start, end, length }: Edited): ts.SourceFile {
  assertReadable(tree.fileName, text, { start, end: start + length });
  // TypeScript looks back by one token. A statement for which it had looked further ahead has to be parsed again.
  const from = Math.min(start, firstOpenEnd(tree));
  if (end - from > MOST_READ_AGAIN || mistakesIn(tree).length > MOST_RETAINED_MISTAKES) return parseText(tree.fileName, text, true);
  return withMarks(ts.updateSourceFile(tree, text, { span: { start: from, length: end - from }, newLength: start - from + length }));
}

/**
 * Marks the nodes that contain a mistake, since TypeScript reuses only nodes without this mark. A token that belongs to no node, such as
 * the dots of `{ a...b }`, loses the mark, and reusing the node would lose the mistake.
 */
function withMarks(tree: ts.SourceFile): ts.SourceFile {
  const mistakes = Array.from(mistakesIn(tree), ({ start }) => ({ end: start })).sort((one, other) => one.end - other.end);
  // Each node is visited once, however many mistakes it contains. A mistake between two statements belongs to both.
  const mark = (node: ts.Node): void => {
    const first = mistakes[countUpTo(mistakes, node.pos - 1)];
    if (first === undefined || first.end > node.end) return;
    (node as { flags: ts.NodeFlags }).flags |= MARK;
    ts.forEachChild(node, mark);
  };
  if (mistakes.length > 0) tree.statements.forEach(mark);
  return tree;
}

const MARK = ts.NodeFlags.ThisNodeOrAnySubNodesHasError | ts.NodeFlags.HasAggregatedChildData;

/**
 * Limits for an incremental update. For each node that it cannot reuse, TypeScript searches whole lists of the old tree. Beyond so many
 * characters or mistakes, parsing the whole source is faster.
 */
const MOST_READ_AGAIN = 1_000;
const MOST_RETAINED_MISTAKES = 200;

/** For a text longer than LONG characters, the parser's time is predicted from the mistakes in its beginning and in a few pieces. */
const LONG = 200_000;
const PIECES = 16;
const PIECE = 2_000;
const BEGINNING = 8;
/** Number of mistakes that take the parser about half a second. */
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
  // TypeScript parses a module twice if it has `await` at its top level. Without the indicator, `await` is recognized by what follows it.
  const options = { ...PARSING, setExternalModuleIndicator: () => {} };
  const tree = ts.createSourceFile(file, text, options, parents, scriptKind(file));
  return parents ? withMarks(tree) : tree;
}

/** JSDoc is not parsed: nothing reads it, and it is most of some declaration files. */
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

/** TypeScript's code for an unterminated regular expression, whose assumed end depends on the rest of its line. */
const UNTERMINATED_REGULAR_EXPRESSION = 1161;

/** Matches words that are names at the end of a statement, but type operators if the text after them forms a type. */
const TYPE_OPERATOR = /\b(?:keyof|unique|readonly|abstract)$/;
const LONGEST_OPERATOR = 8;

/** Returns the start of the first statement whose end may change by an edit anywhere after it. */
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

/** Returns how many of the places, which are in order, end at or before the offset. */
function countUpTo(places: readonly { readonly end: number }[], offset: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the parser's diagnostics, which are in a field that its types omit. */
export const mistakesIn = (source: ts.SourceFile): readonly ts.DiagnosticWithLocation[] =>
  (source as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics ?? [];

/** TypeScript's code for "Declaration or statement expected. This '=' follows a block of statements, so if you intended …". */
const GUESSES_ASSIGNMENT = 2809;

/** Returns the first syntax error; the others may be its consequences. */
export function firstMistake(source: ts.SourceFile): SyntaxMistake | undefined {
  const [first] = mistakesIn(source);
  if (first === undefined) return undefined;
  const { start, length, messageText, code } = first;
  const text = ts.flattenDiagnosticMessageText(messageText, " ");
  // The guess is omitted, since it depends on the text just parsed, which after an edit may be only a part.
  const message = code === GUESSES_ASSIGNMENT ? text.slice(0, text.indexOf(". ") + 1) : text;
  return { file: source.fileName, start, end: start + length, message };
}

/** Whether a source has no syntax errors. */
export function parses(file: string, text: string): boolean {
  try {
    return mistakesIn(parse(file, text)).length === 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
