// A text that a request carries, as the pieces it is put together from: what is known, the invocation token, and what is not known.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { URL_HELPERS } from "../../../spec/url-helpers.ts";
import type { Names, Place, Resolve, Value } from "../model/values.ts";
import { constructedUrlText, isUrlCall } from "../syntax/made-url.ts";
import { unknownAt } from "../syntax/names/mutations.ts";

export type Piece = { readonly place: Place } & (
  | { readonly kind: "text"; readonly text: string }
  /** `context.invocationToken`, under whatever name. */
  | { readonly kind: "token" }
  /** Another value; the name under which it is known, if it has one, and what it encodes in base64, where that is not known in full. */
  | { readonly kind: "unknown"; readonly path?: readonly string[]; readonly encodes?: readonly Piece[] }
);

type TextCall = NonNullable<(Value & { readonly kind: "unknown" })["call"]>;

/** The invocation token, in a text. */
export const TOKEN = "\uE001";
/** Whatever is not known, in a text. */
export const UNKNOWN = "\uE002";

/** What a value that is not known stands for, where a caller of the function around it passes it. */
export type ArgumentOf = (unknown: Value & { readonly kind: "unknown" }) => Value | undefined;

const NO_ARGUMENTS: ArgumentOf = () => undefined;
const DEEPEST = 12;
/** Texts that are put together of texts double at each; what comes behind these is not known. */
const MOST_PIECES = 1_000;

/** The pieces from left to right. Members of an object are `name=value`, each on a line of its own, whether it becomes JSON or a query. */
export function piecesOf(value: Value, resolve: Resolve, argumentOf: ArgumentOf = NO_ARGUMENTS): readonly Piece[] {
  const pieces: Piece[] = [];
  add(value, 0, pieces, resolve, argumentOf);
  return pieces;
}

// Without closures and copies: every text that a request carries comes through here at every keystroke.
function add(part: Value, depth: number, pieces: Piece[], resolve: Resolve, argumentOf: ArgumentOf): void {
  const { place } = part;
  if (depth > DEEPEST || pieces.length > MOST_PIECES) {
    pieces.push({ place, kind: "unknown" });
    return;
  }
  switch (part.kind) {
    case "string":
      pieces.push({ place, kind: "text", text: part.value });
      break;
    case "number":
    case "boolean":
      pieces.push({ place, kind: "text", text: String(part.value) });
      break;
    case "template":
      for (const inner of part.parts) add(inner, depth + 1, pieces, resolve, argumentOf);
      break;
    case "reference": {
      if (part.path[part.path.length - 1] === "invocationToken") {
        pieces.push({ place, kind: "token" });
        break;
      }
      const resolved = resolve(part);
      if (resolved.kind === "reference") pieces.push({ place, kind: "unknown" });
      else add(resolved, depth + 1, pieces, resolve, argumentOf);
      break;
    }
    case "unknown":
      addUnknown(part, depth, pieces, resolve, argumentOf);
      break;
    case "object":
      for (const property of part.properties) {
        pieces.push({ place, kind: "text", text: `\n${property.name}=` });
        add(property.value, depth + 1, pieces, resolve, argumentOf);
      }
      pieces.push(part.open ? { place, kind: "unknown" } : { place, kind: "text", text: "\n" });
      break;
    case "array":
      for (const item of part.items) {
        add(item, depth + 1, pieces, resolve, argumentOf);
        pieces.push({ place, kind: "text", text: "\n" });
      }
      break;
    default:
      pieces.push({ place, kind: "unknown" });
  }
}

function addUnknown(part: Value & { kind: "unknown" }, depth: number, pieces: Piece[], resolve: Resolve, argumentOf: ArgumentOf): void {
  const { path, place } = part;
  if (path !== undefined && path[path.length - 1] === "invocationToken") {
    pieces.push({ place, kind: "token" });
    return;
  }
  const isItself = part.callee === undefined && part.lookup === undefined && part.standsFor === undefined && part.mapped === undefined;
  const resolved = isItself ? part : resolve(part);
  if (resolved !== part) {
    add(resolved, depth + 1, pieces, resolve, argumentOf);
    return;
  }
  const { call } = part;
  const argument = argumentOf(part);
  if (argument !== undefined) {
    add(argument, depth + 1, pieces, resolve, argumentOf);
    return;
  }
  if (call === undefined) {
    pieces.push(path === undefined ? { place, kind: "unknown" } : { place, kind: "unknown", path });
    return;
  }
  if (call.name === "base64") {
    const encodes = call.arguments.flatMap((argument) => piecesOf(argument, resolve, argumentOf));
    const { text, whole } = readBeginning(encodes);
    pieces.push(
      whole && text.length <= LONGEST_ENCODED ? { place, kind: "text", text: base64(text) } : { place, kind: "unknown", encodes },
    );
    return;
  }
  const [first, ...rest] = call.arguments;
  if (isUrlCall(call.name)) {
    const all = call.arguments.map((one) => piecesOf(one, resolve, argumentOf));
    addConstructedUrl(part.place, call.name, all, pieces);
    return;
  }
  if (call.name === "replace" || call.name === "replaceAll") {
    addReplaced(part, call, pieces, (one) => piecesOf(one, resolve, argumentOf));
    return;
  }
  if (first !== undefined) add(first, depth + 1, pieces, resolve, argumentOf);
  if (call.name === "stringify") return;
  // What the functions put between them; a query's names come with the object.
  pieces.push({ place, kind: "text", text: URL_HELPERS[call.name] ?? "?" });
  for (const other of rest) add(other, depth + 1, pieces, resolve, argumentOf);
  pieces.push({ place, kind: "unknown" });
}

/** `text.replace("{id}", id)`, up to what may hold more of what is replaced. */
function addReplaced(
  { place }: Value,
  { name, arguments: args }: TextCall,
  pieces: Piece[],
  read: (value: Value) => readonly Piece[],
): void {
  const [text, pattern, by] = args.map(read);
  const { text: leadingText, whole } = readBeginning(text ?? []);
  const sought = readBeginning(pattern ?? []);
  const [head = "", ...tails] = sought.whole && sought.text !== "" ? leadingText.split(sought.text) : [];
  const rest = name === "replaceAll" || tails.length < 2 ? tails : [tails.join(sought.text)];
  const at = text?.[0]?.place ?? place;
  pieces.push({ place: at, kind: "text", text: head });
  for (const behind of rest) pieces.push(...(by ?? []), { place: at, kind: "text", text: behind });
  if (!whole || !sought.whole) pieces.push({ place, kind: "unknown" });
}

/** Of a URL that is made: what is known of it, at the place of what says its host. */
function addConstructedUrl(
  place: Place,
  name: Parameters<typeof constructedUrlText>[0],
  args: readonly (readonly Piece[])[],
  pieces: Piece[],
): void {
  const [path = [], base] = args;
  const text = constructedUrlText(name, readBeginning(path), base && readBeginning(base));
  const isOfPath = readBeginning(path).text.includes("://");
  const [first] = isOfPath || base === undefined ? path : base;
  if (text !== undefined && first !== undefined) pieces.push({ place: first.place, kind: "text", text });
  // A parameter that decides may be known to who calls.
  else if (path[0]?.kind === "unknown") pieces.push(path[0]);
  if (name === "URL" || text === undefined) pieces.push({ place, kind: "unknown" });
}

/** No credential is longer. */
const LONGEST_ENCODED = 1000;

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The known beginning, up to the first piece that is not known; `whole` where that is all. */
export function readBeginning(pieces: readonly Piece[]): { readonly text: string; readonly whole: boolean } {
  let text = "";
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    if (piece.kind !== "text") return { text, whole: false };
    text += piece.text;
  }
  return { text, whole: true };
}

/** How a piece stands in a text. */
const signOf = (piece: Piece): string => (piece.kind === "text" ? piece.text : piece.kind === "token" ? TOKEN : UNKNOWN);

/** All that they say, in one text. */
export function textOf(pieces: readonly Piece[]): string {
  let text = "";
  for (let index = 0; index < pieces.length; index++) text += signOf(pieces[index] as Piece);
  return text;
}

/** A text with a map back to its pieces: the token, and what is not known, are single signs in it. */
export interface MappedText {
  readonly text: string;
  readonly pieces: readonly { readonly at: number; readonly piece: Piece }[];
}

export function mapped(pieces: readonly Piece[]): MappedText {
  let text = "";
  const places = pieces.map((piece) => {
    const at = text.length;
    text += signOf(piece);
    return { at, piece };
  });
  return { text, pieces: places };
}

interface Alternative {
  readonly value: Value;
  /** The parts up to the first that decides, which is the last of them. */
  readonly head: readonly Value[];
}

/** A URL that goes by many names, or is put together in many steps. */
const MOST = 50;

/** The texts that a value may be; the value itself where it is one, or where they are too many. `isEnough` of a beginning: what follows decides nothing. */
export function alternativesOf(value: Value, names: Names, isEnough: (beginning: string) => boolean): readonly Value[] {
  /** Undefined while it is being looked at: what leads back to itself begins as its other values do. */
  const alternativesByValue = new Map<Value, readonly Alternative[] | undefined>();
  let steps = 0;

  const look = (one: Value): readonly Alternative[] => {
    if (alternativesByValue.has(one)) return alternativesByValue.get(one) ?? [];
    if (++steps > MOST) return [{ value: one, head: [one] }];
    alternativesByValue.set(one, undefined);
    const options = names.options(one);
    const alternatives = options.length > 1 ? byBeginning(options.filter(isSomething).flatMap(lookInside)) : options.flatMap(lookInside);
    alternativesByValue.set(one, alternatives);
    return alternatives;
  };

  const lookInside = (one: Value): readonly Alternative[] => {
    const text = one.kind === "reference" || one.kind === "unknown" ? names.resolve(one) : one;
    if (text.kind === "template") return partly(one, text.parts.filter(hasText), (parts) => ({ ...text, parts }));
    if (text.kind !== "unknown" || text.call === undefined) return [{ value: one, head: [text] }];
    const { call } = text;
    return partly(one, call.arguments, (args) => ({ ...text, call: { ...call, arguments: args } }));
  };

  /** What is made of the parts, with each of the values that the first of them may have which has several. */
  const partly = (one: Value, parts: readonly Value[], build: (parts: readonly Value[]) => Value): readonly Alternative[] => {
    let beginning = "";
    let lead: readonly Value[] = [one];
    let chosen = parts;
    for (const [index, part] of parts.entries()) {
      const alternatives = look(part);
      const [only] = alternatives;
      if (alternatives.length > 1)
        return alternatives.map(({ value, head }) => ({
          value: build(chosen.map((other, at) => (at === index ? value : other))),
          head: [...chosen.slice(0, index), ...head],
        }));
      // In a circle: the way round has no beginning of its own.
      if (only === undefined) return [];
      if (index === 0) lead = only.head;
      // The only one that is a text.
      if (only.value !== part) chosen = chosen.map((other, at) => (at === index ? only.value : other));
      const { text, whole } = readBeginning(piecesOf(only.value, names.resolve));
      beginning += text;
      if (!whole || isEnough(beginning)) break;
    }
    return [{ value: chosen === parts ? one : build(chosen), head: lead }];
  };

  const all = look(value);
  return all.length === 0 || steps > MOST ? [value] : all.map((one) => one.value);
}

/** What stands there until there is a text: nothing. */
const isSomething = (value: Value): boolean => value.kind !== "undefined" && value.kind !== "null" && hasText(value);

const hasText = (part: Value): boolean => part.kind !== "string" || part.value !== "";

/** A parameter is the same wherever it stands. */
const keyOf = (value: Value | undefined): string =>
  value?.kind === "unknown" && value.path !== undefined
    ? value.path.join(".")
    : `${value?.place.start} ${value?.place.end} ${value?.place.file}`;

function byBeginning(all: readonly Alternative[]): readonly Alternative[] {
  const groups = new Map<string, Alternative[]>();
  for (const one of all) getOrInsert(groups, keyOf(one.head.at(-1)), () => []).push(one);
  return [...groups.values()].map(([first, ...remaining]) => {
    if (first === undefined || remaining.length === 0) return first as Alternative;
    const { place } = first.value;
    return { head: first.head, value: { kind: "template", place, parts: [...first.head, unknownAt(place)] } };
  });
}
