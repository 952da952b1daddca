// A string that a request carries, as its pieces: known text, the invocation token, and unknown values.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { URL_HELPERS } from "../../../spec/url-helpers.ts";
import type { ComputedText, Expression, Names, Parameter, Place, Resolve } from "../model/values.ts";
import { constructedUrlText, isPartOfUrl } from "../syntax/constructed-url.ts";
import { isOpaque } from "../syntax/expressions.ts";
import { unknownAt } from "../syntax/names/mutations.ts";

export type Piece = { readonly place: Place } & (
  | { readonly kind: "text"; readonly text: string }
  /** `context.invocationToken`, under any name. */
  | { readonly kind: "token" }
  /** Pieces in base64 that are not fully known. */
  | { readonly kind: "encoded"; readonly encodes: readonly Piece[] }
  /** Another value, of which only a name is known. */
  | Parameter
  | { readonly kind: "unknown" }
);

/** The character for the invocation token in a text. */
export const TOKEN = "\uE001";
/** The character for an unknown value in a text. */
export const UNKNOWN = "\uE002";

/** Returns the argument that a caller of the enclosing function passes for a parameter. */
export type ArgumentOf = (parameter: Parameter) => Expression | undefined;

const NO_ARGUMENTS: ArgumentOf = () => undefined;
const DEEPEST = 12;
/** Strings that are built from strings double at each step; pieces beyond this limit are unknown. */
const MOST_PIECES = 1_000;

/**
 * Returns the pieces from left to right. Members of an object become `name=value`, each on its own line, whether it is sent as JSON or as a
 * query.
 */
export function piecesOf(value: Expression, resolve: Resolve, argumentOf: ArgumentOf = NO_ARGUMENTS): readonly Piece[] {
  const pieces: Piece[] = [];
  add(value, 0, pieces, resolve, argumentOf);
  return pieces;
}

// This function avoids closures and copies, since every string of a request passes through it at every keystroke.
function add(part: Expression, depth: number, pieces: Piece[], resolve: Resolve, argumentOf: ArgumentOf): void {
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
      add(resolve(part), depth + 1, pieces, resolve, argumentOf);
      break;
    }
    case "parameter": {
      if (part.path[part.path.length - 1] === "invocationToken") {
        pieces.push({ place, kind: "token" });
        break;
      }
      const argument = argumentOf(part);
      if (argument === undefined) pieces.push(part);
      else add(argument, depth + 1, pieces, resolve, argumentOf);
      break;
    }
    case "computed":
      addComputed(part, depth, pieces, resolve, argumentOf);
      break;
    case "url": {
      const all = part.arguments.map((one) => piecesOf(one, resolve, argumentOf));
      addConstructedUrl(place, "URL", all, pieces);
      break;
    }
    case "call":
    case "newPack":
    case "newUrl":
    case "lookUp":
    case "map":
    case "bound":
    case "choice":
      add(resolve(part), depth + 1, pieces, resolve, argumentOf);
      break;
    case "object":
      for (const { value } of part.spreads) {
        const spread = resolve(value);
        if (spread.kind === "object") add(spread, depth + 1, pieces, resolve, argumentOf);
      }
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

function addComputed(part: ComputedText, depth: number, pieces: Piece[], resolve: Resolve, argumentOf: ArgumentOf): void {
  const { name, place } = part;
  const read = (one: Expression): readonly Piece[] => piecesOf(one, resolve, argumentOf);
  if (name === "base64") {
    const encodes = part.arguments.flatMap(read);
    const { text, whole } = readBeginning(encodes);
    pieces.push(
      whole && text.length <= LONGEST_ENCODED ? { place, kind: "text", text: base64(text) } : { place, kind: "encoded", encodes },
    );
    return;
  }
  if (isPartOfUrl(name)) {
    addConstructedUrl(place, name, part.arguments.map(read), pieces);
    return;
  }
  if (name === "replace" || name === "replaceAll") {
    addReplaced(part, pieces, read);
    return;
  }
  const [first, ...rest] = part.arguments;
  if (first !== undefined) add(first, depth + 1, pieces, resolve, argumentOf);
  if (name === "stringify") return;
  // The text that the function puts between its arguments; an object of parameters contains the names.
  pieces.push({ place, kind: "text", text: URL_HELPERS[name] ?? "?" });
  for (const other of rest) add(other, depth + 1, pieces, resolve, argumentOf);
  pieces.push({ place, kind: "unknown" });
}

/** Adds `text.replace("{id}", id)`, up to the first unknown piece, which may contain further matches. */
function addReplaced({ name, arguments: args, place }: ComputedText, pieces: Piece[], read: (value: Expression) => readonly Piece[]): void {
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

/** Adds the known beginning of a constructed URL, at the place of the part that contains its host. */
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
  // A caller may know the parameter that decides.
  else if (path[0] !== undefined && isOpen(path[0])) pieces.push(path[0]);
  if (name === "URL" || text === undefined) pieces.push({ place, kind: "unknown" });
}

/** Maximum length of a credential that is encoded. */
const LONGEST_ENCODED = 1000;

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Returns the known beginning, up to the first unknown piece; `whole` says that every piece is known. */
export function readBeginning(pieces: readonly Piece[]): { readonly text: string; readonly whole: boolean } {
  let text = "";
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    if (piece.kind !== "text") return { text, whole: false };
    text += piece.text;
  }
  return { text, whole: true };
}

/** Whether the piece is neither known text nor the token. */
export const isOpen = ({ kind }: Piece): boolean => kind !== "text" && kind !== "token";

/** Returns a piece as it appears in a text. */
const signOf = (piece: Piece): string => (piece.kind === "text" ? piece.text : piece.kind === "token" ? TOKEN : UNKNOWN);

/** Returns all pieces joined into one text. */
export function textOf(pieces: readonly Piece[]): string {
  let text = "";
  for (let index = 0; index < pieces.length; index++) text += signOf(pieces[index] as Piece);
  return text;
}

/** A text with a map back to its pieces. The token and unknown values are single characters in it. */
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
  readonly value: Expression;
  /** The parts up to and including the first that distinguishes it from other alternatives. */
  readonly head: readonly Expression[];
}

/** Maximum number of steps for a URL that has many names or is built in many steps. */
const MOST = 50;

/**
 * Returns the strings that a value may be, or only the value itself if there is one or too many. `isEnough` says of a beginning that what
 * follows is irrelevant.
 */
export function alternativesOf(value: Expression, names: Names, isEnough: (beginning: string) => boolean): readonly Expression[] {
  /** Undefined during the look-up of a value: a circular value begins as its other options do. */
  const alternativesByValue = new Map<Expression, readonly Alternative[] | undefined>();
  let steps = 0;

  const look = (one: Expression): readonly Alternative[] => {
    if (alternativesByValue.has(one)) return alternativesByValue.get(one) ?? [];
    if (++steps > MOST) return [{ value: one, head: [one] }];
    alternativesByValue.set(one, undefined);
    const options = names.options(one);
    const alternatives = options.length > 1 ? byBeginning(options.filter(isSomething).flatMap(lookInside)) : options.flatMap(lookInside);
    alternativesByValue.set(one, alternatives);
    return alternatives;
  };

  const lookInside = (one: Expression): readonly Alternative[] => {
    const text = one.kind === "reference" || isOpaque(one) ? names.resolve(one) : one;
    if (text.kind === "template") return partly(one, text.parts.filter(hasText), (parts) => ({ ...text, parts }));
    if (text.kind !== "computed" && text.kind !== "url") return [{ value: one, head: [text] }];
    return partly(one, text.arguments, (args) => ({ ...text, arguments: args }));
  };

  /** Returns the value rebuilt with each option of the first part that has several. */
  const partly = (
    one: Expression,
    parts: readonly Expression[],
    build: (parts: readonly Expression[]) => Expression,
  ): readonly Alternative[] => {
    let beginning = "";
    let lead: readonly Expression[] = [one];
    let chosen = parts;
    for (const [index, part] of parts.entries()) {
      const alternatives = look(part);
      const [only] = alternatives;
      if (alternatives.length > 1)
        return alternatives.map(({ value, head }) => ({
          value: build(chosen.map((other, at) => (at === index ? value : other))),
          head: [...chosen.slice(0, index), ...head],
        }));
      // The part leads back to the value itself, so this path has no beginning.
      if (only === undefined) return [];
      if (index === 0) lead = only.head;
      // The part has a single option that is a string.
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

/** Whether the value is not a placeholder for a string that is assigned later, such as undefined or "". */
const isSomething = (value: Expression): boolean => value.kind !== "undefined" && value.kind !== "null" && hasText(value);

const hasText = (part: Expression): boolean => part.kind !== "string" || part.value !== "";

/** Returns a key by which parts are grouped. A parameter has the same key at every place. */
const keyOf = (value: Expression | undefined): string =>
  value?.kind === "parameter" ? value.path.join(".") : `${value?.place.start} ${value?.place.end} ${value?.place.file}`;

function byBeginning(all: readonly Alternative[]): readonly Alternative[] {
  const groups = new Map<string, Alternative[]>();
  for (const one of all) getOrInsert(groups, keyOf(one.head.at(-1)), () => []).push(one);
  return [...groups.values()].map(([first, ...remaining]) => {
    if (first === undefined || remaining.length === 0) return first as Alternative;
    const { place } = first.value;
    return { head: first.head, value: { kind: "template", place, parts: [...first.head, unknownAt(place)] } };
  });
}
