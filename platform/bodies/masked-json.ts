// Masks JSON of any size as text. The pack process parses it, so that a large response costs the host only one scan. If it contains a
// secret, small JSON is parsed after all; in large JSON each string and number is masked in place. Invariant: when parsed, the result
// equals redactValue of the parsed original.
import { createDepthScan } from "../../base/json-depth.ts";
import type { FetchResponse } from "../../protocol/pack-process.ts";
import { DEEPEST_VALUE, MASK, type Redactor } from "../secrets/redact.ts";
import { findsSecret, redactText } from "../secrets/redact-long.ts";
import { type Slices, startSlices } from "../slices.ts";
import { createJsonGrammar, endOfString, type JsonToken } from "./json-grammar.ts";
import { piecesOf } from "./long-text.ts";

/** Characters of a text that is parsed at once. */
export const SMALL = 256 * 1024;
/** Characters of a piece. */
const PIECE = 64 * 1024;

/** A number with an exponent, whose value may be written differently. */
const EXPONENT = /[:,[\s]-?\d+(?:\.\d+)?[eE][+-]?\d+\s*[,}\]]/;

/** Characters of such a number with the spaces after it. */
const LONGEST_NUMBER = 500;

/** Returns whether the text contains a secret, as it is or after parsing. */
export async function jsonContainsSecret(text: string, redactor: Redactor): Promise<boolean> {
  if (redactor.reach === 0) return false;
  if (await findsSecret(piecesOf(text, PIECE), redactor)) return true;
  if (text.includes("\\") && (await findsSecret(unescaped(text), redactor))) return true;
  return hasExponent(text);
}

async function hasExponent(text: string): Promise<boolean> {
  const slices = startSlices();
  for (let at = 0; at < text.length; at += PIECE) {
    if (EXPONENT.test(text.slice(at, at + PIECE + LONGEST_NUMBER))) return true;
    if (slices.isOver()) await slices.next();
  }
  return false;
}

/** Returns large JSON with masked strings, keys and numbers. A text that is not JSON is masked as text. */
export async function maskLargeJson(text: string, redactor: Redactor): Promise<FetchResponse["body"]> {
  const unparsed = await maskTokens(text, redactor);
  return unparsed === undefined ? { text: await redactText(text, redactor) } : { unparsed };
}

/** Returns whether lists and objects of a JSON text are nested more than {@link DEEPEST_VALUE} levels deep. */
export async function isTooDeep(text: string): Promise<boolean> {
  // Each level takes at least two characters.
  if (text.length <= 2 * DEEPEST_VALUE) return false;
  const slices = startSlices();
  const isDeeper = createDepthScan(DEEPEST_VALUE);
  for (const piece of piecesOf(text, PIECE)) {
    if (isDeeper(piece)) return true;
    if (slices.isOver()) await slices.next();
  }
  return false;
}

const BACKSLASH = 0x5c;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** Yields the text with every JSON escape decoded, so that each string appears as it will be read. */
function* unescaped(text: string): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    const end = wholeEscapes(text, at, at + PIECE);
    yield text
      .slice(at, end)
      .replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_all, hex: string | undefined, character: string) =>
        hex === undefined ? (SHORT_ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
      );
    at = end;
  }
}

/** Returns the last index up to `end` that does not split an escape; `from` must be such an index. */
function wholeEscapes(text: string, from: number, end: number): number {
  if (end >= text.length) return text.length;
  const near = text.slice(end - LONGEST_ESCAPE, end).lastIndexOf("\\");
  if (near < 0) return end;
  const last = end - LONGEST_ESCAPE + near;
  let start = last;
  while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start--;
  // Consecutive backslashes are escapes in pairs; if their number is odd, the last one starts an escape.
  return last - ((last - start) % 2);
}

/** `\u0000`. */
const LONGEST_ESCAPE = 6;

const TOKEN = /[\t\n\r ]*(?:(?<scalar>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|["[\]{}:,])/y;

/** Returns the masked text; undefined if the text is not JSON. */
async function maskTokens(text: string, redactor: Redactor): Promise<string | undefined> {
  const slices = startSlices();
  const grammar = createJsonGrammar();
  let end = text.length;
  while (end > 0 && " \t\n\r".includes(text[end - 1] as string)) end--;
  let result = "";
  let copied = 0;
  const replace = (start: number, behind: number, by: string): void => {
    result += text.slice(copied, start) + by;
    copied = behind;
  };
  for (let at = 0, count = 0; at < end; count++) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return undefined;
    at = TOKEN.lastIndex;
    const scalar = match.groups?.scalar;
    const mark = text[at - 1] as JsonToken | '"';
    if (!grammar.accepts(scalar !== undefined ? "scalar" : mark === '"' ? "string" : mark)) return undefined;
    if (scalar !== undefined) {
      if (/^[-\d]/.test(scalar) && redactor.finds(String(Number(scalar)))) replace(at - scalar.length, at, JSON.stringify(MASK));
    } else if (mark === '"') {
      const start = at - 1;
      const behind = endOfString(text, start);
      if (behind === undefined) return undefined;
      at = behind;
      const isLong = behind - start > PIECE;
      const value = isLong ? await readLongString(text, start + 1, behind - 1, slices) : readString(text.slice(start, behind));
      if (value === undefined) return undefined;
      const masked = isLong ? await redactText(value, redactor) : redactor.redact(value);
      if (masked !== value) replace(start, behind, isLong ? await writeLongString(masked, slices) : JSON.stringify(masked));
    }
    if (count % 64 === 0 && slices.isOver()) await slices.next();
  }
  return grammar.isComplete ? result + text.slice(copied) : undefined;
}

function readString(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

/** Returns the value of the string literal between `from` and `to`, without its quotes. */
async function readLongString(text: string, from: number, to: number, slices: Slices): Promise<string | undefined> {
  let value = "";
  for (let at = from; at < to; ) {
    const end = at + PIECE >= to ? to : wholeEscapes(text, at, at + PIECE);
    const part = readString(`"${text.slice(at, end)}"`);
    if (part === undefined) return undefined;
    value += part;
    at = end;
    if (slices.isOver()) await slices.next();
  }
  return value;
}

async function writeLongString(value: string, slices: Slices): Promise<string> {
  let literal = '"';
  for (const piece of piecesOf(value, PIECE)) {
    literal += JSON.stringify(piece).slice(1, -1);
    if (slices.isOver()) await slices.next();
  }
  return `${literal}"`;
}
