// Offsets ↔ lines, for ranges in reports.
export interface LspPosition {
  readonly line: number;
  readonly character: number;
}

/** Zero-based, UTF-16, as in LSP. */
export function positionAt(text: string, offset: number): LspPosition {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  let line = 0;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line++;
  return { line, character: offset - start };
}

export const rangeOf = (text: string, span: { readonly start: number; readonly end: number }) => ({
  start: positionAt(text, span.start),
  end: positionAt(text, span.end),
});
