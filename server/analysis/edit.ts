// Safe text edits: "add a property to this object", "remove it", "add a statement"; the author's indentation and commas are kept.
import type { ObjectValue, PackModel, Place, Property, TextEdit } from "./model.ts";

/** Adds `name: text` as the object's last property. */
export function insertProperty(pack: PackModel, object: ObjectValue, text: string, options: { readonly first?: boolean } = {}): TextEdit {
  const source = pack.text(object.file);
  const anchor = options.first ? undefined : lastOf(object);
  if (anchor === undefined) {
    const next = object.properties[0];
    const inner = indentOf(source, object.start) + unitOf(source);
    if (next !== undefined && onSameLine(source, object.start, next.span.start)) return at(object, object.start + 1, ` ${text},`);
    if (next !== undefined) return at(object, object.start + 1, `\n${indentOf(source, next.span.start)}${text},`);
    // An empty object: what stands between the braces is replaced.
    return {
      file: object.file,
      start: object.start + 1,
      end: object.end - 1,
      text: `\n${inner}${text},\n${indentOf(source, object.start)}`,
    };
  }
  const sameLine = onSameLine(source, object.start, anchor.span.start);
  if (object.trailingComma) {
    const comma = source.indexOf(",", anchor.span.end) + 1;
    return at(object, comma, sameLine ? ` ${text},` : `\n${indentOf(source, anchor.span.start)}${text},`);
  }
  return at(object, anchor.span.end, sameLine ? `, ${text}` : `,\n${indentOf(source, anchor.span.start)}${text},`);
}

/** Takes a property out, with its comma, its own line and the comment line directly above it left alone. */
export function removeProperty(pack: PackModel, object: ObjectValue, property: Property): TextEdit {
  const source = pack.text(object.file);
  const lineStart = source.lastIndexOf("\n", property.span.start - 1) + 1;
  const comma = /^\s*,/.exec(source.slice(property.span.end))?.[0].length ?? 0;
  const end = property.span.end + comma;
  const lineEnd = source.indexOf("\n", end);
  const ownLine =
    source.slice(lineStart, property.span.start).trim() === "" &&
    lineStart > object.start &&
    (lineEnd < 0 || source.slice(end, lineEnd).trim() === "");
  if (ownLine && lineEnd >= 0) return { file: object.file, start: lineStart, end: lineEnd + 1, text: "" };
  if (comma > 0) return { file: object.file, start: property.span.start, end: end + (/^[ \t]/.test(source.slice(end)) ? 1 : 0), text: "" };
  const index = object.properties.indexOf(property);
  const previous = object.properties[index - 1];
  return { file: object.file, start: previous?.span.end ?? property.span.start, end: property.span.end, text: "" };
}

export function replace(place: Place, text: string): TextEdit {
  return { file: place.file, start: place.start, end: place.end, text };
}

/** Adds a statement on the line before the statement that the place stands in. */
export function insertStatementBefore(pack: PackModel, place: Place, statement: string): TextEdit {
  const source = pack.text(place.file);
  const lineStart = source.lastIndexOf("\n", place.start - 1) + 1;
  return { file: place.file, start: lineStart, end: lineStart, text: `${indentOf(source, place.start)}${statement}\n` };
}

function lastOf(object: ObjectValue): Property | undefined {
  return object.properties.findLast((property) => property.span.start >= object.start && property.span.end <= object.end);
}

const at = (object: ObjectValue, offset: number, text: string): TextEdit => ({ file: object.file, start: offset, end: offset, text });

function onSameLine(source: string, a: number, b: number): boolean {
  return !source.slice(a, b).includes("\n");
}

function indentOf(source: string, offset: number): string {
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(source.slice(lineStart))?.[0] ?? "";
}

function unitOf(source: string): string {
  return /^(\t| {2,8})\S/m.exec(source)?.[1] ?? "  ";
}
