// Safe text edits: "add a property to this object", "remove it", "add a statement". The author's indentation, line ends, comments and
// use of trailing commas are kept.
import type { ObjectValue, PackModel, Place, Property, Span, TextEdit } from "./model.ts";

/** Adds `name: value` as the object's last property, or as its first; several, each like the others around it. */
export function insertProperty(
  pack: PackModel,
  object: ObjectValue,
  added: string | readonly string[],
  options: { readonly first?: boolean } = {},
): TextEdit {
  const source = pack.text(object.file);
  const texts = typeof added === "string" ? [added] : added;
  const { members } = object;
  if (members === undefined) return fillObject(object, source, texts);
  const sameLine = onSameLine(source, object.start, members.start);
  const lineBefore = `${eolOf(source)}${indentOf(source, members.start)}`;
  const text = texts.join(sameLine ? ", " : `,${lineBefore}`);
  if (options.first)
    return at(object, object.start + 1, sameLine ? `${source[object.start + 1] === " " ? " " : ""}${text},` : `${lineBefore}${text},`);
  const comma = object.trailingComma ? skipTrivia(source, members.end) + 1 : undefined;
  const end = comma ?? members.end;
  if (sameLine) return at(object, end, comma === undefined ? `, ${text}` : ` ${text},`);
  // A comment at the end of the line stays with what it explains.
  const comment = lineComment(source, end);
  const separator = comma === undefined ? "," : "";
  const line = `${lineBefore}${text}${comma === undefined ? "" : ","}`;
  return { file: object.file, start: end, end: end + comment.length, text: `${separator}${comment}${line}` };
}

/** An empty object gets each property on a line of its own; comments inside stay. */
function fillObject(object: ObjectValue, source: string, texts: readonly string[]): TextEdit {
  const indent = indentOf(source, object.start);
  const line = texts.map((text) => `${eolOf(source)}${indent}${unitOf(source)}${text},`).join("");
  // While it is typed, the brace that closes it may not be there.
  if (object.end < object.start + 2 || source[object.end - 1] !== "}") return at(object, object.start + 1, line);
  const inside = source.slice(object.start + 1, object.end - 1);
  if (inside.trim() !== "") return at(object, object.start + 1, line + (/^\s/.test(inside) ? "" : " "));
  return { file: object.file, start: object.start + 1, end: object.end - 1, text: `${line}${eolOf(source)}${indent}` };
}

/** Takes a property of the object's own out, with its comma, its line, and the comment behind it. */
export function removeProperty(pack: PackModel, object: ObjectValue, property: Property): TextEdit {
  return removeMember(pack, object, property.span);
}

/** Takes an element out of the list that it stands in, like a property out of its object. */
export function removeItem(pack: PackModel, list: Place, item: Span): TextEdit {
  return removeMember(pack, list, item);
}

function removeMember(pack: PackModel, container: Place, span: Span): TextEdit {
  const source = pack.text(container.file);
  const next = skipTrivia(source, span.end);
  const hasComma = source[next] === ",";
  const end = hasComma ? next + 1 : span.end;
  const lineStart = lineStartOf(source, span.start);
  const comment = lineComment(source, end);
  const lineEnd = source.indexOf("\n", end);
  const isOwnLine =
    lineStart > container.start &&
    lineEnd >= 0 &&
    lineEnd < container.end &&
    source.slice(lineStart, span.start).trim() === "" &&
    source.slice(end + comment.length, lineEnd).trim() === "";
  if (isOwnLine) return { file: container.file, start: lineStart, end: lineEnd + 1, text: "" };
  if (hasComma) return { file: container.file, start: span.start, end: end + (/^[ \t]/.test(source.slice(end)) ? 1 : 0), text: "" };
  const before = /,[ \t]*$/.exec(source.slice(container.start, span.start))?.[0].length ?? 0;
  return { file: container.file, start: span.start - before, end: span.end, text: "" };
}

/** Written in the object itself, not spread into it from elsewhere. */
export function isOwn(object: ObjectValue, property: Property): boolean {
  return isWithin({ file: property.value.file, ...property.span }, object);
}

export const isWithin = (inner: Place, outer: Place): boolean =>
  inner.file === outer.file && inner.start >= outer.start && inner.end <= outer.end;

export function replace(place: Place, text: string): TextEdit {
  return { file: place.file, start: place.start, end: place.end, text };
}

/** The text as a literal in the quotes that the literal at the place has; in double quotes where there are none. */
export function quoteLike(pack: PackModel, place: Place, text: string): string {
  const quoted = JSON.stringify(text);
  if (pack.text(place.file)[place.start] !== "'") return quoted;
  return `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** The text as a literal in the quotes that the object's own texts have. */
export function quoteIn(pack: PackModel, object: ObjectValue, text: string): string {
  const like = object.properties.find((property) => property.value.kind === "string" && isOwn(object, property));
  return like === undefined ? JSON.stringify(text) : quoteLike(pack, like.value, text);
}

/** The part of a text literal at an offset of its value; the whole place where escapes or parentheses put it elsewhere. */
export function partOfText(pack: PackModel, literal: Place & { readonly value: string }, offset: number, length: number): Place {
  const { file, start, end } = literal;
  const isPlain = pack.text(file).slice(start + 1, end - 1) === literal.value;
  return isPlain ? { file, start: start + 1 + offset, end: start + 1 + offset + length } : { file, start, end };
}

/** Adds a statement on the line before the statement that the place stands in. */
export function insertStatementBefore(pack: PackModel, place: Place, statement: string): TextEdit {
  const source = pack.text(place.file);
  const indent = indentOf(source, place.start);
  const text = `${statement}${eolOf(source)}${indent}`;
  const lineStart = lineStartOf(source, place.start);
  const isFirst = source.slice(lineStart, place.start).trim() === "";
  return { file: place.file, start: place.start, end: place.start, text: isFirst ? text : `${statement} ` };
}

/** The offset behind blanks, line ends and comments. */
export function skipTrivia(source: string, offset: number): number {
  const trivia = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = offset;
  return offset + (trivia.exec(source)?.[0].length ?? 0);
}

/** The blanks and the comment that end the line at the offset. */
function lineComment(source: string, offset: number): string {
  const comment = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/(?=[ \t]*\r?\n))/y;
  comment.lastIndex = offset;
  return comment.exec(source)?.[0] ?? "";
}

const at = (object: ObjectValue, offset: number, text: string): TextEdit => ({ file: object.file, start: offset, end: offset, text });

const lineStartOf = (source: string, offset: number): number => source.lastIndexOf("\n", offset - 1) + 1;

/** How the file ends its lines. */
export const eolOf = (source: string): string => (/\r?\n/.exec(source)?.[0] === "\r\n" ? "\r\n" : "\n");

function onSameLine(source: string, a: number, b: number): boolean {
  return !source.slice(a, b).includes("\n");
}

/** The blanks that the offset's line begins with. */
export function indentOf(source: string, offset: number): string {
  return /^[ \t]*/.exec(source.slice(lineStartOf(source, offset)))?.[0] ?? "";
}

/** One step of indentation, as the file has it. */
export function unitOf(source: string): string {
  return /^(?:\t| {2,8}(?=\S))/m.exec(source)?.[0] ?? "  ";
}

/** Between a literal's quotes; undefined where it is no literal, or one without an end. */
export function insideQuotes(pack: PackModel, { file, start, end }: Place): Place | undefined {
  const text = pack.text(file);
  const quote = text[start] ?? "";
  return /["'`]/.test(quote) && end - start > 1 && text[end - 1] === quote ? { file, start: start + 1, end: end - 1 } : undefined;
}
