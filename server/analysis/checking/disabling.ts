// The fixes that suppress a finding: a comment above its line, or one for its file.

import type { SuppressionFact } from "../model/facts.ts";
import type { Diagnostic, Fix } from "../model/findings.ts";
import { eolOf } from "../text/edit.ts";
import { lineStart } from "../text/suppressions.ts";
import { commentsBefore, textAround, tokenAt } from "../text/token-at.ts";
import { ts } from "../typescript.ts";

/** Comments that apply to the next line. A new comment is inserted above them, so that they still apply. */
const SPEAKS_OF_NEXT = /^\s*(?:\/\/|\/\*)\s*(?:@ts-|eslint-disable-next-line|biome-ignore|prettier-ignore|deno-lint-ignore)/;

/** Returns the fixes; empty if no comment can suppress the finding, as in JSON files or for findings about these comments. */
export function disabling(diagnostic: Diagnostic, source: ts.SourceFile, suppressions: readonly SuppressionFact[]): readonly Fix[] {
  const { rule, place } = diagnostic;
  if (rule === "suppression-unused" || !/\.[cm]?[jt]sx?$/i.test(place.file)) return [];
  return [disableLine(diagnostic, source), disableFile(diagnostic, source, suppressions)];
}

/** Adds the rule to the comment for the whole file, or inserts such a comment as the first line. */
function disableFile({ rule, place: { file } }: Diagnostic, { text }: ts.SourceFile, suppressions: readonly SuppressionFact[]): Fix {
  const title = `Disable ${rule} for this file`;
  const last = suppressions.find(({ directive, rules }) => directive === "file" && rules.length > 0)?.rules.at(-1);
  if (last !== undefined) return { title, edits: [{ file, start: last.end, end: last.end, text: `, ${rule}` }] };
  // A byte order mark and a `#!` line stay first.
  const at = /^\ufeff?(?:#![^\r\n]*(?:\r\n|\n|\r))?/.exec(text)?.[0].length ?? 0;
  return { title, edits: [{ file, start: at, end: at, text: `// pack-auth-disable-file ${rule} -- reason${eolOf(text)}` }] };
}

function disableLine(diagnostic: Diagnostic, source: ts.SourceFile): Fix {
  const { file, start } = diagnostic.place;
  const { text } = source;
  let offset = startOfCode(source, lineStart(text, start));
  while (offset > 0) {
    const before = lineStart(text, offset - (text.startsWith("\r\n", offset - 2) ? 2 : 1));
    if (!SPEAKS_OF_NEXT.test(text.slice(before, offset)) || startOfCode(source, before) !== before) break;
    offset = before;
  }
  const indent = /^[ \t]*/.exec(text.slice(lineStart(text, start)))?.[0] ?? "";
  const comment = `pack-auth-disable-next-line ${diagnostic.rule} -- reason`;
  const commentText = isInJsx(source, offset) ? `{/* ${comment} */}` : `// ${comment}`;
  // A byte order mark stays the first character.
  const at = offset === 0 && text.startsWith("\ufeff") ? 1 : offset;
  return {
    title: `Disable ${diagnostic.rule} for this line`,
    edits: [{ file, start: at, end: at, text: `${indent}${commentText}${eolOf(text)}` }],
  };
}

/** Returns the start of the line, or of the earlier line where a template or comment begins that contains this line. */
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
