// Safe text edits, such as adding or removing a property or adding a statement. They keep the author's indentation, line ends, comments and
// use of trailing commas.

import type { TextEdit } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, FileSpan, ListValue, ObjectValue, Place, Property, Span } from "../model/values.ts";
import { fileSpan, part } from "./place.ts";

/** Adds one or more properties, `name: value`, at the end of the object, or at its beginning. They are laid out like the existing ones. */
export function insertProperty(
  pack: PackModel,
  object: ObjectValue,
  added: string | readonly string[],
  options: { readonly first?: boolean } = {},
): TextEdit {
  const source = pack.text(object.place.file);
  const texts = typeof added === "string" ? [added] : added;
  const { members } = object;
  if (members === undefined) return fillObject(object, source, texts);
  const neighbour = options.first ? members.start : lastStart(object, members, source);
  const sameLine = onSameLine(source, object.place.start, neighbour);
  const lineBefore = `${eolOf(source)}${indentOf(source, neighbour)}`;
  const text = texts.join(sameLine ? ", " : `,${lineBefore}`);
  if (options.first) {
    const start = object.place.start + 1;
    if (sameLine) return at(object, start, `${source[start] === " " ? " " : ""}${text},`);
    return at(object, start + lineComment(source, start).length, `${lineBefore}${text},`);
  }
  const comma = object.trailingComma ? skipTrivia(source, members.end) + 1 : undefined;
  const end = comma ?? members.end;
  if (sameLine) return at(object, end, comma === undefined ? `, ${text}` : ` ${text},`);
  // A comment at the end of the line stays with the property that it explains.
  const comment = lineComment(source, end);
  const separator = comma === undefined ? "," : "";
  const line = `${lineBefore}${text}${comma === undefined ? "" : ","}`;
  return { file: object.place.file, start: end, end: end + comment.length, text: `${separator}${comment}${line}` };
}

/** Returns the start of the last member if it begins a line; otherwise that of the first. */
function lastStart(object: ObjectValue, members: Span, source: string): number {
  const last = object.properties.find((property) => isOwn(object, property) && property.span.end === members.end)?.span.start;
  return last !== undefined && beginsLine(source, last) ? last : members.start;
}

/** Adds each property to an empty object on its own line; comments inside it are kept. */
function fillObject(object: ObjectValue, source: string, texts: readonly string[]): TextEdit {
  const indent = indentOf(source, object.place.start);
  const line = texts.map((text) => `${eolOf(source)}${indent}${unitOf(source)}${text},`).join("");
  // While the object is being typed, its closing brace may be missing.
  if (object.place.end < object.place.start + 2 || source[object.place.end - 1] !== "}") return at(object, object.place.start + 1, line);
  const inside = source.slice(object.place.start + 1, object.place.end - 1);
  if (inside.trim() !== "") return at(object, object.place.start + 1, line + (/^\s/.test(inside) ? "" : " "));
  return { file: object.place.file, start: object.place.start + 1, end: object.place.end - 1, text: `${line}${eolOf(source)}${indent}` };
}

/** Adds an item after the last one of a list. Returns undefined if the last item is spread in from elsewhere. */
export function insertItem(pack: PackModel, list: ListValue, item: string): TextEdit | undefined {
  const last = list.items.at(-1);
  const { file, start, end } = list.place;
  if (last === undefined) return { file, start, end, text: `[${item}]` };
  if (!isWithin(last.place, list.place)) return undefined;
  const source = pack.text(file);
  const offset = last.place.start;
  const isOnLine = lineStartOf(source, offset) > start && beginsLine(source, offset);
  const text = isOnLine ? `,${eolOf(source)}${indentOf(source, offset)}${item}` : `, ${item}`;
  return { file, start: last.place.end, end: last.place.end, text };
}

/** Removes one of the object's own properties, with its comma, its line, its JSDoc comment, and the comment after it. */
export function removeProperty(pack: PackModel, object: ObjectValue, property: Property): TextEdit {
  const memberSpans = object.properties.filter((other) => isOwn(object, other)).map((other) => other.span);
  return removeMember(pack, object.place, memberSpans, property.span);
}

/** Removes an item from its list, like a property from its object. */
export function removeItem(pack: PackModel, list: ListValue, item: Span): TextEdit {
  return removeMember(
    pack,
    list.place,
    list.items.map(({ place }) => place).filter((place) => isWithin(place, list.place)),
    item,
  );
}

function removeMember(pack: PackModel, container: Place, memberSpans: readonly Span[], span: Span): TextEdit {
  const { file } = container;
  const source = pack.text(file);
  const next = skipTrivia(source, span.end);
  const hasComma = source[next] === ",";
  const end = hasComma ? next + 1 : span.end;
  const comma = hasComma ? undefined : commaBefore(source, memberSpans, span.start);
  const start = span.start - docBefore(source.slice(container.start + 1, span.start)).length;
  const lineStart = lineStartOf(source, start);
  const comment = lineComment(source, end);
  const lineEnd = source.indexOf("\n", end);
  const isOwnLine =
    lineStart > container.start &&
    lineEnd >= 0 &&
    lineEnd < container.end &&
    beginsLine(source, start) &&
    source.slice(end + comment.length, lineEnd).trim() === "";
  // If the last member had no trailing comma, the new last one gets none.
  if (isOwnLine)
    return { file, start: comma ?? lineStart, end: lineEnd + 1, text: comma === undefined ? "" : source.slice(comma + 1, lineStart) };
  if (hasComma) {
    const isLineEnd = /^[ \t]*(?:\r?\n|$)/.test(source.slice(end));
    const before = source.slice(lineStart, start);
    const blanks = before.length - before.trimEnd().length;
    return {
      file,
      start: isLineEnd ? start - blanks : start,
      end: end + (!isLineEnd && /^[ \t]/.test(source.slice(end)) ? 1 : 0),
      text: "",
    };
  }
  if (comma === undefined) return { file, start, end, text: "" };
  const between = source.slice(comma + 1, span.start);
  // A line comment in between belongs to the member before it.
  return { file, start: comma, end, text: between.includes("//") ? between : "" };
}

/** Returns the comma before the member at the offset, if only whitespace and comments are in between. */
function commaBefore(source: string, memberSpans: readonly Span[], start: number): number | undefined {
  const previousSpan = memberSpans.filter(({ end }) => end <= start).at(-1);
  const comma = previousSpan === undefined ? -1 : skipTrivia(source, previousSpan.end);
  if (source[comma] === "," && skipTrivia(source, comma + 1) === start) return comma;
  // The previous member may be a spread.
  const blanks = /,[ \t]*$/.exec(source.slice(0, start))?.[0].length;
  return blanks === undefined ? undefined : start - blanks;
}

/** Returns the JSDoc comment at the end of the text, with the whitespace after it. */
function docBefore(text: string): string {
  const end = text.trimEnd().length - "*/".length;
  if (!text.startsWith("*/", end)) return "";
  const commentBefore = text.lastIndexOf("*/", end - 1);
  const start = text.indexOf("/**", commentBefore < 0 ? 0 : commentBefore + "*/".length);
  return start >= 0 && start + "/**".length <= end ? text.slice(start) : "";
}

/** Whether the property is written in the object itself, and not spread into it from elsewhere. */
export function isOwn(object: ObjectValue, property: Property): boolean {
  return isWithin(property.span, object.place);
}

export const isWithin = (inner: Place, outer: Place): boolean =>
  inner.file === outer.file && inner.start >= outer.start && inner.end <= outer.end;

export function replace(place: Place, text: string): TextEdit {
  return { ...fileSpan(place), text };
}

/** Returns the text as a literal with the quotes of the literal at the place, or with double quotes if there is none. */
export function quoteLike(pack: PackModel, place: Place, text: string): string {
  const quoted = JSON.stringify(text);
  if (pack.text(place.file)[place.start] !== "'") return quoted;
  return `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Returns the edit that writes another text in place of a literal; none for a value that is no literal. */
export const literalEdits = (pack: PackModel, { kind, place }: Expression, text: string): readonly TextEdit[] =>
  kind === "string" ? [replace(place, quoteLike(pack, place, text))] : [];

/** Returns the text as a literal with the quotes of the object's own string properties. */
export function quoteIn(pack: PackModel, object: ObjectValue, text: string): string {
  const like = object.properties.find((property) => property.value.kind === "string" && isOwn(object, property));
  return like === undefined ? JSON.stringify(text) : quoteLike(pack, like.value.place, text);
}

/** Returns the part of a string literal at an offset of its value, or the whole place if escapes or parentheses shift the offsets. */
export function partOfText(
  pack: PackModel,
  { place, value }: { readonly place: Place; readonly value: string },
  offset: number,
  length: number,
): Place {
  const isPlain = pack.text(place.file).slice(place.start + 1, place.end - 1) === value;
  return isPlain ? part(place, 1 + offset, 1 + offset + length) : place;
}

/** Inserts a statement on the line before the statement that begins at the place, and before the comment directly above it. */
export function insertStatementBefore(pack: PackModel, place: Place, statement: string): TextEdit {
  const source = pack.text(place.file);
  const first = firstOnLine(source, place.start);
  // Other code precedes the statement on its line.
  if (skipTrivia(source, first) < place.start) return { file: place.file, start: place.start, end: place.start, text: `${statement} ` };
  const start = commentAbove(source, first);
  return { file: place.file, start, end: start, text: `${statement}${eolOf(source)}${indentOf(source, place.start)}` };
}

/** Inserts lines of code after a statement, and after the comment that ends its line. */
export function insertAfterStatement(pack: PackModel, place: Place | FileSpan, code: string): TextEdit {
  const { file } = place;
  const source = pack.text(file);
  const start = place.end + lineComment(source, place.end).length;
  const [, blanks = "", lineEnd] = /^([ \t]*)(\r?\n|$)?/.exec(source.slice(start)) ?? [];
  const eol = eolOf(source);
  // Other code on the line gets a line of its own.
  return lineEnd === undefined
    ? { file, start, end: start + blanks.length, text: `${eol}${code}${eol}${indentOf(source, place.start)}` }
    : { file, start, end: start, text: `${eol}${code}` };
}

/** Removes a statement, with its line if it is alone on it. */
export function removeStatement(pack: PackModel, { file, start, end }: Place): TextEdit {
  const source = pack.text(file);
  const lineStart = lineStartOf(source, start);
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(source.slice(end, end + 1_000))?.[0];
  const isAlone = source.slice(lineStart, start).trim() === "" && rest !== undefined;
  return isAlone ? { file, start: lineStart, end: end + rest.length, text: "" } : { file, start, end, text: "" };
}

/** Returns the start of the comments that end on the line above the offset, or the offset if there are none. */
function commentAbove(source: string, offset: number): number {
  const above = source.slice(0, lineStartOf(source, offset)).trimEnd();
  const isNext = source.slice(above.length, offset).split("\n").length === 2;
  const start = above.endsWith("*/") ? above.lastIndexOf("/*") : firstOnLine(source, above.length);
  const isComment = isNext && beginsLine(source, start) && /^\/[/*]/.test(source.slice(start)) && skipTrivia(source, start) >= offset;
  return isComment ? commentAbove(source, start) : offset;
}

/** Returns the offset after whitespace, line ends and comments. */
export function skipTrivia(source: string, offset: number): number {
  const trivia = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = offset;
  return offset + (trivia.exec(source)?.[0].length ?? 0);
}

/** Returns the whitespace and the comment that end the line at the offset. */
function lineComment(source: string, offset: number): string {
  const comment = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/(?=[ \t]*\r?\n))/y;
  comment.lastIndex = offset;
  return comment.exec(source)?.[0] ?? "";
}

const at = (object: ObjectValue, offset: number, text: string): TextEdit => ({ file: object.place.file, start: offset, end: offset, text });

const lineStartOf = (source: string, offset: number): number => source.lastIndexOf("\n", offset - 1) + 1;

/** Returns the first offset on the offset's line after whitespace or a byte order mark; the offset itself if nothing else precedes it. */
const firstOnLine = (source: string, offset: number): number =>
  offset - source.slice(lineStartOf(source, offset), offset).trimStart().length;

const beginsLine = (source: string, offset: number): boolean => firstOnLine(source, offset) === offset;

/** Returns the file's line end. */
export const eolOf = (source: string): string => (/\r?\n/.exec(source)?.[0] === "\r\n" ? "\r\n" : "\n");

function onSameLine(source: string, a: number, b: number): boolean {
  return !source.slice(a, b).includes("\n");
}

/** Returns the whitespace at the beginning of the offset's line. */
export function indentOf(source: string, offset: number): string {
  return /^[ \t]*/.exec(source.slice(lineStartOf(source, offset)))?.[0] ?? "";
}

/** Returns one step of the file's indentation. */
export function unitOf(source: string): string {
  return /^(?:\t| {2,8}(?=\S))/m.exec(source)?.[0] ?? "  ";
}

/** Returns the span between a literal's quotes, or undefined if there is no literal or it is unterminated. */
export function insideQuotes(pack: PackModel, { file, start, end }: Place): FileSpan | undefined {
  const text = pack.text(file);
  const quote = text[start] ?? "";
  return /["'`]/.test(quote) && end - start > 1 && text[end - 1] === quote ? { file, start: start + 1, end: end - 1 } : undefined;
}
