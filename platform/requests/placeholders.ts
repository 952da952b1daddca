// Replaces the placeholders of Custom authentication, `{{name-<invocationToken>}}`, in a request's URL, headers, body and form
// (auth-spec 5.4). Invariants: a value is inserted once and never scanned again; a placeholder that cannot be replaced stops the request.
import { closest } from "../../base/closest.ts";
import { decodeText } from "../../base/decode-text.ts";
import { refusal } from "../network/refusal.ts";
import { ENTER_FOR_HEADER, isHeaderValue } from "./fetch-request.ts";

export type PlaceholderPlace = "url" | "header" | "json" | "form-body" | "text";

interface PlaceholderValues {
  readonly invocationToken: string;
  readonly values: Readonly<Record<string, string>>;
}

const TOKEN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

interface Replaced {
  readonly text: string;
  /** The names of the inserted params. */
  readonly usedNames: readonly string[];
}

/**
 * Replaces every placeholder in a text. Throws request-refused for an unknown name, a stale token, or a value that would change the
 * surrounding text.
 */
export function replacePlaceholders(text: string, place: PlaceholderPlace, values: PlaceholderValues): Replaced {
  const usedNames: string[] = [];
  // The first of three consecutive braces belongs to the surrounding text.
  const open = place === "url" || place === "form-body" ? "(?:\\{\\{(?!\\{)|%7B%7B(?!%7B))" : "\\{\\{(?!\\{)";
  const close = place === "url" || place === "form-body" ? "(?:\\}\\}|%7D%7D)" : "\\}\\}";
  const token = quote(values.invocationToken);
  // A name is everything between the nearest braces.
  const pattern = new RegExp(`${open}((?:(?!\\{\\{|\\}\\}|%7B%7B|%7D%7D)[^])*?)-(${token}|${TOKEN})${close}`, "gi");
  const isQuoted = QUOTED_PRINTABLE.test(text);
  const parts: string[] = [];
  /** The start and end of each inserted value in the result. */
  const filled: (readonly [start: number, end: number])[] = [];
  let length = 0;
  let tail = "";
  const append = (part: string): void => {
    parts.push(part);
    length += part.length;
    tail = ((part.length < LONGEST_ESCAPE ? tail : "") + part.slice(-LONGEST_ESCAPE)).slice(-LONGEST_ESCAPE);
  };
  let copiedEnd = 0;
  /** The name of the value that the last appended part ends with. */
  let behind: string | undefined;
  const appendUpTo = (offset: number): void => {
    const own = text.slice(copiedEnd, offset);
    if (own === "") return;
    if (behind !== undefined) {
      if (COMBINES.test(own)) {
        throw refusal(
          `a mark after the value of ${behind} would combine with its last character, and could change it`,
          "Put another character between them, or the value into a field of its own.",
        );
      }
      const begun = begunEscape(tail, place, isQuoted);
      if (begun !== undefined && goesOn(begun, own, place)) throw atEscape(`the value of ${behind} ends with`);
    }
    append(own);
    behind = undefined;
  };
  for (const match of text.matchAll(pattern)) {
    const [whole, rawName = "", embeddedToken] = match;
    const declared = (candidate: string): boolean => Object.hasOwn(values.values, candidate);
    const name = whole.startsWith("{{") ? rawName : (encodedNames(rawName).find(declared) ?? decodeText(rawName));
    if (embeddedToken !== values.invocationToken) {
      throw refusal(
        `the placeholder ${formatPlaceholder(name)} carries the token of another execution`,
        "Build it again from context.invocationToken each time the formula runs.",
      );
    }
    const value = declared(name) ? values.values[name] : undefined;
    if (value === undefined) {
      const near = closest(name, Object.keys(values.values));
      throw refusal(
        `the placeholder ${formatPlaceholder(name)} does not name a param of the account`,
        near === undefined ? `Declared are: ${Object.keys(values.values).join(", ") || "none"}.` : `Did you mean ${near}?`,
      );
    }
    appendUpTo(match.index);
    if (begunEscape(tail, place, isQuoted) !== undefined) throw atEscape(`the placeholder ${formatPlaceholder(name)} comes right after`);
    const start = length;
    append(encode(value, name, place, text, match.index));
    usedNames.push(name);
    filled.push([start, length]);
    copiedEnd = match.index + whole.length;
    behind = name;
  }
  appendUpTo(text.length);
  const result = parts.join("");
  if (place === "url") keepPath(text, result, filled);
  return { text: result, usedNames };
}

/** Characters before a value that are searched for an unfinished escape, which may itself be encoded. */
const LONGEST_ESCAPE = 100;
/** An unfinished escape that the next characters would complete: of a URL (`%4`, `%u00`), JSON or JavaScript (`\u00`), or HTML (`&#x`). */
const BEGUN = /(?:%(?:u[\da-f]{0,3}|[\da-f]?)|\\(?:u[\da-f]{0,3}|u\{[\da-f]{0,31}|x[\da-f]?|[0-7]{0,2})|&(?:#x?)?[\da-z]{0,31})$/i;
/** An unfinished escape with more digits, as in YAML, or of any kind with many leading zeros. */
const BEGUN_LONG = /(?:\\U[\dA-Fa-f]{0,7}|0{24}[\dA-Fa-f]{0,6})$/;
/** An unfinished escape in mail (RFC 2045, section 6.7; RFC 2047, section 4.2). Elsewhere, `=` may precede any value. */
const BEGUN_IN_MAIL = /=[\da-f]?$/i;
const QUOTED_PRINTABLE = /quoted-printable|=\?[^?\s]{1,40}\?q\?/i;
const WHOLE =
  /%([\da-f]{2})|\\(?:u([\da-f]{4})|x([\da-f]{2})|([\s\S]))|&(?:#0{0,90}(\d{1,7})|#x0{0,90}([\da-f]{1,6})|(amp|bsol|num|percnt));?/gi;
const NAMED: Readonly<Record<string, string>> = { amp: "&", bsol: "\\", num: "#", percnt: "%" };

/** A combining mark, escaped or not. An API that normalises text would merge it with the letter before it (Unicode Standard Annex 15). */
const COMBINES = /^(?:\p{M}|\\u\{?0{0,9}3[0-6]|%(?:25){0,9}C[CD]%|&#(?:0{0,9}(?:7[6-9]|8[0-7])\d|x0{0,9}3[0-6]))/iu;

/** Returns whether a text may complete the escape. */
const goesOn = (begun: string, text: string, place: PlaceholderPlace): boolean =>
  (/^[%=]/.test(begun) ? /^u?[\da-f]/i : place === "url" ? /^[\da-z;{]/i : /^[\da-z#;{]/i).test(text);

/**
 * Returns the unfinished escape at the end of a text, in any of several nested encodings.
 * The next characters would become part of it. If the API repeats the request, the value would then appear in a form that cannot be masked.
 */
function begunEscape(tail: string, place: PlaceholderPlace, isQuoted: boolean): string | undefined {
  // In these places, & and ? separate names and values.
  let text = place === "url" || place === "form-body" ? tail.slice(Math.max(tail.lastIndexOf("&"), tail.lastIndexOf("?")) + 1) : tail;
  for (let before = ""; before !== text; ) {
    const begun = BEGUN.exec(text) ?? BEGUN_LONG.exec(text) ?? (isQuoted ? BEGUN_IN_MAIL.exec(text) : null);
    if (begun !== null) return begun[0];
    before = text;
    text = text.replace(
      WHOLE,
      (_all, percent?: string, u?: string, x?: string, one?: string, decimal?: string, hex?: string, name?: string) => {
        const code = percent ?? u ?? x ?? hex;
        if (code !== undefined || decimal !== undefined)
          return String.fromCharCode(decimal === undefined ? Number.parseInt(code as string, 16) : Number(decimal));
        // An escape for a line break, a tab or the like does not start another escape.
        return name === undefined ? (/[\\/"'&%]/.test(one ?? "") ? (one ?? "") : " ") : (NAMED[name.toLowerCase()] ?? " ");
      },
    );
  }
  return undefined;
}

const atEscape = (what: string): Error =>
  refusal(
    `${what} the beginning of an escape (such as %, \\ or &), and the two could be read as another character`,
    "Put another character between them, or the value into a field of its own.",
  );

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Throws request-refused if values change the path or the scheme of the URL that the pack wrote. */
function keepPath(writtenUrl: string, result: string, filled: readonly (readonly [start: number, end: number])[]): void {
  if (!SCHEME.test(writtenUrl) && SCHEME.test(result)) throw refusal("the scheme of the URL cannot be a placeholder");
  const pathStart = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(result)?.[0].length ?? 0;
  const pathEnd = pathStart + (/^[^?#]*/.exec(result.slice(pathStart))?.[0].length ?? 0);
  for (const [start, end] of filled) {
    if (start < pathStart || end > pathEnd) continue;
    const from = Math.max(pathStart, result.lastIndexOf("/", start - 1) + 1);
    const next = result.indexOf("/", end);
    const segment = result.slice(from, next < 0 ? pathEnd : Math.min(next, pathEnd));
    if (
      undotted(segment)
        .split(/[/\\]/)
        .some((part) => /^\.{1,2}(?:;|$)/.test(part))
    ) {
      throw refusal(
        "a value in the path of the URL reads as . or .., which leads to another path",
        "Sign in again and enter the plain value, or put it into the query.",
      );
    }
  }
}

/** Decodes dots, slashes and semicolons repeatedly, as a chain of servers might. */
function undotted(segment: string): string {
  let text = segment;
  for (let times = 0; times < MOST_ENCODINGS; times++)
    text = text.replace(/%(2[5ef]|3b|5c)/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return text;
}

const MOST_ENCODINGS = 8;

/** Returns whether a text contains a placeholder of this execution. */
export function hasPlaceholder(text: string, invocationToken: string): boolean {
  return text.includes(`-${invocationToken}}}`) || text.toLowerCase().includes(`-${invocationToken.toLowerCase()}%7d%7d`);
}

function encode(value: string, name: string, place: PlaceholderPlace, text: string, offset: number): string {
  switch (place) {
    case "json":
      return JSON.stringify(value).slice(1, -1);
    case "form-body":
      return encodeURIComponent(value.toWellFormed());
    case "header":
      if (!isHeaderValue(value)) {
        throw refusal(`the value of ${name} contains a character that headers cannot carry`, ENTER_FOR_HEADER);
      }
      return value;
    case "url": {
      const authorityEnd = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(text)?.[0].length ?? 0;
      if (offset >= authorityEnd) return encodeURIComponent(value.toWellFormed());
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(value)) {
        throw refusal(
          `the value of ${name} is in the host of the URL, and is not a single host label`,
          "Sign in again and enter only the part before the first dot, such as acme for acme.example.com.",
        );
      }
      return value;
    }
    case "text":
      return value;
  }
}

/** A name can be any text, so messages show only its beginning. */
const formatPlaceholder = (name: string): string => `{{${name.length > 100 ? `${name.slice(0, 100)}…` : name}-…}}`;

/** Returns both readings of an encoded name: with `+` as a plus sign, and with `+` as a space, as in forms. */
const encodedNames = (text: string): readonly string[] => [decodeText(text), decodeText(text.replaceAll("+", " "))];

const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");
