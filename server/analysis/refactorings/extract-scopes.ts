// The scopes of a configuration to a constant before the statement that they stand in.
import { ts } from "ts-morph";
import { propertyOf } from "../config.ts";
import { eolOf, indentOf, isOwn } from "../edit.ts";
import { parse } from "../facts.ts";
import type { PackModel, Span } from "../model.ts";
import { lineStart } from "../suppressions.ts";
import type { Refactoring } from "./refactoring.ts";

/** In a list of scopes that is written out. */
export function extractScopes(pack: PackModel, file: string, offset: number): readonly Refactoring[] {
  for (const { config } of pack.auths) {
    const property = propertyOf(config, "scopes");
    if (property?.value.kind !== "array" || config.file !== file || !isOwn(config, property)) continue;
    const { value, span } = property;
    if (
      offset < span.start ||
      offset > span.end ||
      value.open ||
      !value.items.every(({ kind }) => kind === "string") ||
      value.items.length === 0
    )
      continue;
    const source = pack.text(file);
    const statement = statementAround(file, source, value.start);
    if (statement === undefined) return [];
    const name = freeName(source);
    const list = setIn(source.slice(value.start, value.end), indentOf(source, value.start), indentOf(source, statement.start));
    const declaration = `const ${name} = ${list};${eolOf(source)}${indentOf(source, statement.start)}`;
    return [
      {
        title: `Extract the scopes to the constant ${name}`,
        kind: "extract",
        edits: () => [
          { file, start: statement.start, end: statement.start, text: declaration },
          { file, start: value.start, end: value.end, text: name },
        ],
      },
    ];
  }
  return [];
}

/** The statement of the file's top level, with the comment on the lines above it: what is declared before it is known in all of it. */
function statementAround(file: string, source: string, offset: number): Span | undefined {
  const tree = parse(file, source);
  const statement = tree?.statements.find((candidate) => candidate.getStart(tree) <= offset && offset <= candidate.end);
  if (tree === undefined || statement === undefined) return undefined;
  let start = statement.getStart(tree);
  for (const comment of (ts.getLeadingCommentRanges(source, statement.pos) ?? []).reverse()) {
    const isAttached = /^[ \t]*(?:\r\n?[ \t]*|\n[ \t]*)?$/.test(source.slice(comment.end, start));
    const isOwnLine = source.slice(lineStart(source, comment.pos), comment.pos).trim() === "";
    if (!isAttached || !isOwnLine) break;
    start = comment.pos;
  }
  return { start, end: statement.end };
}

function freeName(source: string): string {
  const isFree = (name: string): boolean => !new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(source);
  for (const name of ["SCOPES", "OAUTH_SCOPES"]) if (isFree(name)) return name;
  let number = 2;
  while (!isFree(`SCOPES_${number}`)) number++;
  return `SCOPES_${number}`;
}

/** The lines behind the first, moved from one indentation to the other. */
function setIn(text: string, from: string, to: string): string {
  return text
    .split("\n")
    .map((line, index) => (index > 0 && line.startsWith(from) ? to + line.slice(from.length) : line))
    .join("\n");
}
