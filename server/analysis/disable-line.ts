// The fix that silences one finding: a comment over its line, where a comment can stand.
import { ts } from "ts-morph";
import type { Diagnostic, Fix } from "./model.ts";
import { lineStart } from "./suppressions.ts";
import { commentsBefore, textAround, tokenAt } from "./token-at.ts";

/** Comments that speak of the next line too: what is inserted goes above them, so that they keep doing so. */
const SPEAKS_OF_NEXT = /^\s*(?:\/\/|\/\*)\s*(?:@ts-|eslint-disable-next-line|biome-ignore|prettier-ignore|deno-lint-ignore)/;

/** Undefined where no comment can silence it: in a file without comments, or for the comments themselves. */
export function disableLine(diagnostic: Diagnostic, source: ts.SourceFile): Fix | undefined {
  const { file, start } = diagnostic.place;
  if (diagnostic.rule === "suppression-unused" || !/\.[cm]?[jt]sx?$/i.test(file)) return undefined;
  const { text } = source;
  let offset = startOfCode(source, lineStart(text, start));
  while (offset > 0) {
    const before = lineStart(text, offset - (text.startsWith("\r\n", offset - 2) ? 2 : 1));
    if (!SPEAKS_OF_NEXT.test(text.slice(before, offset)) || startOfCode(source, before) !== before) break;
    offset = before;
  }
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const indent = /^[ \t]*/.exec(text.slice(lineStart(text, start)))?.[0] ?? "";
  const comment = `pack-auth-disable-next-line ${diagnostic.rule} -- reason`;
  const written = isInJsx(source, offset) ? `{/* ${comment} */}` : `// ${comment}`;
  // A byte order mark stays the first character.
  const at = offset === 0 && text.startsWith("\ufeff") ? 1 : offset;
  return { title: `Disable ${diagnostic.rule} for this line`, edits: [{ file, start: at, end: at, text: `${indent}${written}${eol}` }] };
}

/** The start of the line, or of the one before it on which a template or comment begins that goes on here. */
function startOfCode(source: ts.SourceFile, offset: number): number {
  let line = offset;
  for (;;) {
    const around = textAround(source, line);
    const comment = commentsBefore(source, tokenAt(source, line)).find(({ pos, end }) => pos < line && line < end);
    const start = around?.getStart(source) ?? comment?.pos;
    if (start === undefined) return line;
    line = lineStart(source.text, start);
  }
}

function isInJsx(source: ts.SourceFile, offset: number): boolean {
  const token = tokenAt(source, offset);
  return token.kind === ts.SyntaxKind.JsxText && token.pos <= offset;
}
