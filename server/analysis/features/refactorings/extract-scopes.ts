// Extracts the scopes of a configuration to a constant before the statement that contains them.

import { propertyOf } from "../../configuration/config.ts";
import type { PackModel } from "../../model/pack.ts";
import { indentOf, insertStatementBefore, isOwn, replace } from "../../text/edit.ts";
import { parse } from "../../text/parse.ts";
import { wrap } from "../../wrap.ts";
import type { Refactoring } from "./refactoring.ts";

/** Offered in an array literal of scopes. */
export function extractScopes(pack: PackModel, file: string, offset: number): readonly Refactoring[] {
  for (const { config } of pack.auths) {
    const property = propertyOf(config, "scopes");
    if (property?.value.kind !== "array" || config.place.file !== file || !isOwn(config, property)) continue;
    const { value, span } = property;
    if (
      offset < span.start ||
      offset > span.end ||
      value.open ||
      !value.items.every(({ kind }) => kind === "string") ||
      value.items.length === 0
    )
      continue;
    const { place } = value;
    const source = pack.text(file);
    // A constant before a top-level statement is in scope for the whole statement.
    const statement = wrap(parse(file, source))
      .getStatements()
      .find((each) => each.containsRange(place.start, place.end));
    if (statement === undefined) return [];
    const start = statement.getStart();
    const name = freeName(source);
    const list = setIn(source.slice(place.start, place.end), indentOf(source, place.start), indentOf(source, start));
    const declaration = insertStatementBefore(pack, { file, start, end: statement.getEnd() }, `const ${name} = ${list};`);
    const edits = [declaration, replace(place, name)];
    return [{ title: `Extract the scopes to the constant ${name}`, kind: "extract", edits: () => edits }];
  }
  return [];
}

function freeName(source: string): string {
  const isUsed = (name: string): boolean => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(source);
  let name = isUsed("SCOPES") ? "OAUTH_SCOPES" : "SCOPES";
  for (let number = 2; isUsed(name); number++) name = `SCOPES_${number}`;
  return name;
}

/** Changes the indentation of all lines except the first. */
function setIn(text: string, from: string, to: string): string {
  return text
    .split("\n")
    .map((line, index) => (index > 0 && line.startsWith(from) ? to + line.slice(from.length) : line))
    .join("\n");
}
