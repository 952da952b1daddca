// Converts the offsets of the analysis to positions of the editor and back, in the negotiated encoding (LSP 3.17, Position).

import type { Position, Range, TextEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { getOrInsert } from "../base/get-or-insert.ts";
import type { OffsetEdit } from "./analysis/analysis.ts";
import type { Span } from "./analysis/model/values.ts";

export type Encoding = "utf-8" | "utf-16" | "utf-32";

/** The positions for one answer, during which no text changes, so that each file is looked up once. */
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
 * Applies the editor's changes to a document, each to the result of the previous one; a change without range replaces the whole text.
 * Returns them as one edit, from the first changed character to the last, since each edit costs the analysis a pass over the text.
 */
export function applyChanges(
  document: TextDocument,
  changes: readonly { readonly range?: Range; readonly text: string }[],
  version: number,
  encoding: Encoding,
): readonly OffsetEdit[] {
  const before = document.getText().length;
  let length = before;
  /** Number of characters at the start and at the end that no change affects. */
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
    // Editors often send changes from the end to the start. These are applied together, since each update copies the text.
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

/** Returns the position. The library counts in UTF-16; for other encodings, the line up to the offset is counted again. */
function toPosition(document: TextDocument, offset: number, encoding: Encoding): Position {
  const position = document.positionAt(offset);
  if (encoding === "utf-16") return position;
  const before = document.getText({ start: { line: position.line, character: 0 }, end: position });
  return { line: position.line, character: widthOf(before, encoding) };
}

/** Returns the offset. A position beyond the end of the line or text is clamped to it. */
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

/** Returns the length of a text in the encoding's units: bytes of UTF-8, or code points. */
const widthOf = (text: string, encoding: "utf-8" | "utf-32"): number => (encoding === "utf-8" ? Buffer.byteLength(text) : [...text].length);
