// Offsets of the analysis ↔ positions of the editor, in the encoding that was agreed on (LSP 3.17, Position).

import type { Position, Range, TextEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { getOrInsert } from "../base/get-or-insert.ts";
import type { OffsetEdit } from "./analysis/analysis.ts";
import type { Span } from "./analysis/model/values.ts";

export type Encoding = "utf-8" | "utf-16" | "utf-32";

/** For one answer, in which no text changes: each file is looked up once. */
export interface Positions {
  text(path: string): string;
  offset(path: string, position: Position): number;
  position(path: string, offset: number): Position;
  range(path: string, span: Span): Range;
}

export function createPositions(documentOf: (path: string) => TextDocument, encoding: Encoding): Positions {
  const documents = new Map<string, TextDocument>();
  const document = (path: string): TextDocument => getOrInsert(documents, path, documentOf);
  return {
    text: (path) => document(path).getText(),
    offset: (path, position) => toOffset(document(path), position, encoding),
    position: (path, offset) => toPosition(document(path), offset, encoding),
    range: (path, span) => rangeIn(document(path), span, encoding),
  };
}

/**
 * Makes the editor's changes in a document, each in what the one before it left; one without range replaces all. All of them are one edit
 * for the analysis, from the first letter that any of them touches to the last: each edit costs it a look at the text.
 */
export function applyChanges(
  document: TextDocument,
  changes: readonly { readonly range?: Range; readonly text: string }[],
  version: number,
  encoding: Encoding,
): readonly OffsetEdit[] {
  const before = document.getText().length;
  let length = before;
  /** How much of the text no change touches, at its start and at its end. */
  let head = length;
  let tail = length;
  let waiting: TextEdit[] = [];
  const apply = (): void => {
    const [only, ...otherEdits] = waiting;
    if (only === undefined) return;
    const change =
      otherEdits.length === 0 ? { range: only.range, text: only.newText } : { text: TextDocument.applyEdits(document, waiting) };
    TextDocument.update(document, [change], version);
    waiting = [];
  };
  let last: Range | undefined;
  for (const { range, text } of changes) {
    // Editors make many changes from the end to the start. Those are made together: one by one, each would copy the text.
    if (range === undefined || last === undefined || !isBefore(range.start, last.start) || !isBefore(range.end, last.start)) apply();
    last = range;
    const start = range === undefined ? 0 : toOffset(document, range.start, encoding);
    const end = range === undefined ? length : Math.max(start, toOffset(document, range.end, encoding));
    waiting.push({ range: { start: document.positionAt(start), end: document.positionAt(end) }, newText: text });
    head = Math.min(head, start);
    tail = Math.min(tail, length - end);
    length += text.length - (end - start);
  }
  apply();
  if (changes.length === 0) TextDocument.update(document, [], version);
  return changes.length === 0 ? [] : [{ start: head, end: before - tail, text: document.getText().slice(head, length - tail) }];
}

const isBefore = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.character < b.character);

const rangeIn = (document: TextDocument, { start, end }: Span, encoding: Encoding): Range => ({
  start: toPosition(document, start, encoding),
  end: toPosition(document, end, encoding),
});

/** The library counts in UTF-16; in another encoding the line up to there is counted anew. */
function toPosition(document: TextDocument, offset: number, encoding: Encoding): Position {
  const position = document.positionAt(offset);
  if (encoding === "utf-16") return position;
  const before = document.getText({ start: { line: position.line, character: 0 }, end: position });
  return { line: position.line, character: widthOf(before, encoding) };
}

/** A position beyond the line's or the text's end is its end. */
function toOffset(document: TextDocument, position: Position, encoding: Encoding): number {
  if (encoding === "utf-16") return document.offsetAt(position);
  const start = { line: position.line, character: 0 };
  const line = document.getText({ start, end: { line: position.line, character: Number.MAX_SAFE_INTEGER } });
  let width = 0;
  let length = 0;
  for (const char of line) {
    if (width >= position.character) break;
    width += widthOf(char, encoding);
    length += char.length;
  }
  return document.offsetAt(start) + length;
}

/** How many units of the encoding a text takes: bytes of UTF-8, or code points. */
const widthOf = (text: string, encoding: "utf-8" | "utf-32"): number => (encoding === "utf-8" ? Buffer.byteLength(text) : [...text].length);
