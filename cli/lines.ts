// Offsets → lines, for ranges in reports.
export interface LspPosition {
  readonly line: number;
  readonly character: number;
}

export interface LspRange {
  readonly start: LspPosition;
  readonly end: LspPosition;
}

/** Zero-based, UTF-16, as in LSP: lines end with \n, \r\n or \r. */
export function positionAt(text: string, offset: number): LspPosition {
  let line = 0;
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    if (index + end.length > offset) break;
    line++;
    start = index + end.length;
  }
  return { line, character: offset - start };
}

export const rangeOf = (text: string, span: { readonly start: number; readonly end: number }): LspRange => ({
  start: positionAt(text, span.start),
  end: positionAt(text, span.end),
});
