// The tokens of a source, one after the other. What runs long (texts, comments) is found by regular expressions, which are native from the
// second use on. Each use of one takes as long as a look at twenty signs or so; blanks and names are shorter.
import { ts } from "ts-morph";
import { KEYWORDS, mayBeReserved, OPERATORS, SINGLES } from "./token-kinds.ts";
import { DOUBLE, NUMBER, OPERATOR, PLAIN_DOUBLE, PLAIN_SINGLE, REGULAR, SINGLE, TEMPLATE, TRIVIA } from "./token-patterns.ts";
import { UNSURE } from "./tree.ts";

const { SyntaxKind } = ts;

let text = "";
let length = 0;
/** The token: what it is, where it begins and ends, and where the one before it ended. */
export let kind: ts.SyntaxKind = SyntaxKind.EndOfFileToken;
export let start = 0;
export let end = 0;
export let full = 0;
/** Of a name its letters; of a text, a number or a piece of a template what it stands for. */
export let value = "";

/** No credential of a known form is shorter, with its quotes: only texts of this length and longer are looked through for one. */
export const LONG_TEXT = 20;
/** Where the long texts and pieces of templates of the source begin and end, in pairs; one that was read twice stands there twice. */
export let longTexts: number[] = [];

export function unsure(): never {
  throw UNSURE;
}

/** Starts at the beginning of a source, or where one of its statements begins. */
export function startWith(source: string, offset = 0): void {
  text = source;
  length = source.length;
  end = offset;
  longTexts = [];
  next();
}

const matches = (pattern: RegExp, from: number): number => {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : unsure();
};

/** Goes to the next token. */
// Each look at a sign is a call where nothing is compiled: none is looked at twice.
export function next(): void {
  // What it is asked for again and again stands nearer than what a module keeps.
  const source = text;
  const size = length;
  let offset = end;
  full = offset;
  let code = offset < size ? source.charCodeAt(offset) : 0;
  while (code === 32 || code === 10 || code === 13 || code === 9) code = ++offset < size ? source.charCodeAt(offset) : 0;
  if (code === SLASH) {
    offset = matches(TRIVIA, offset);
    code = offset < size ? source.charCodeAt(offset) : 0;
  }
  start = offset;
  if (offset >= size) {
    end = offset;
    kind = SyntaxKind.EndOfFileToken;
    return;
  }
  // a–z, A–Z, _ and $
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36) {
    const first = code;
    do code = ++offset < size ? source.charCodeAt(offset) : 0;
    while ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code >= 48 && code <= 57) || code === 36);
    // A letter that is none of ASCII, or an escape of one.
    if (code >= 128 || code === 92) unsure();
    end = offset;
    const word = source.slice(start, offset);
    value = word;
    kind = SyntaxKind.Identifier;
    if (mayBeReserved(first, source.charCodeAt(offset - 1), word.length)) kind = KEYWORDS.get(word) ?? SyntaxKind.Identifier;
    return;
  }
  const single = SINGLES[code];
  if (single !== undefined) {
    end = offset + 1;
    kind = single;
  } else if (code === 46 && text.charCodeAt(offset + 1) > 57) {
    end = offset + 1;
    kind = SyntaxKind.DotToken;
  } else if (code === 34 || code === 39) {
    const plain = code === 34 ? PLAIN_DOUBLE : PLAIN_SINGLE;
    plain.lastIndex = offset;
    kind = SyntaxKind.StringLiteral;
    if (plain.test(text)) {
      end = plain.lastIndex;
      value = text.slice(offset + 1, end - 1);
    } else readText(code === 34 ? DOUBLE : SINGLE);
    if (end - offset >= LONG_TEXT) longTexts.push(offset, end);
  } else if (code === 96) readTemplate(SyntaxKind.TemplateHead, SyntaxKind.NoSubstitutionTemplateLiteral);
  else readNumberOrOperator(code);
}

const SLASH = 47;

/** With escapes. */
function readText(pattern: RegExp): void {
  end = matches(pattern, start);
  value = meaning(text.slice(start + 1, end - 1));
}

function readNumberOrOperator(code: number): void {
  const further = text.charCodeAt(start + 1);
  // What is most often written.
  if (code === 61 && (further === 32 || further === 62)) {
    end = further === 32 ? start + 1 : start + 2;
    kind = further === 32 ? SyntaxKind.EqualsToken : SyntaxKind.EqualsGreaterThanToken;
  } else if (isDigit(code) || (code === 46 && isDigit(further))) {
    end = matches(NUMBER, start);
    value = String(Number(text.slice(start, end).replaceAll("_", "")));
    kind = SyntaxKind.NumericLiteral;
  } else {
    end = matches(OPERATOR, start);
    kind = OPERATORS.get(text.slice(start, end)) ?? unsure();
    // A comment without end.
    if (code === SLASH && text.charCodeAt(end) === 42) unsure();
  }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function readTemplate(open: ts.SyntaxKind, whole: ts.SyntaxKind): void {
  const stop = matches(TEMPLATE, start + 1);
  if (stop >= length) unsure();
  const raw = text.slice(start + 1, stop);
  if (raw.includes("\r")) unsure();
  value = meaning(raw);
  kind = text.charCodeAt(stop) === 96 ? whole : open;
  end = kind === whole ? stop + 1 : stop + 2;
  if (end - start >= LONG_TEXT) longTexts.push(start, end);
}

/** At the brace behind an expression in a template: the token becomes the template's next piece. */
export function continueTemplate(): void {
  if (kind !== SyntaxKind.CloseBraceToken) unsure();
  readTemplate(SyntaxKind.TemplateMiddle, SyntaxKind.TemplateTail);
}

/** At a slash where a value is expected. */
export function readRegularExpression(): void {
  end = matches(REGULAR, start);
  value = text.slice(start, end);
  kind = SyntaxKind.RegularExpressionLiteral;
}

/** At `>`, where an operator is expected. */
export function readGreater(): void {
  if (text.charCodeAt(end) === 61) {
    end++;
    kind = SyntaxKind.GreaterThanEqualsToken;
    if (text.charCodeAt(end) === 61) unsure();
  } else if (text.charCodeAt(end) === 62) unsure();
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", v: "\v", f: "\f" };

/** What a text with escapes stands for. */
function meaning(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\([\s\S])/g, (_, sign: string) => (/[\dxu\r\n\u2028\u2029]/.test(sign) ? unsure() : (ESCAPES[sign] ?? sign)));
}

/** Whether the token is the first of its line. */
export function startsLine(): boolean {
  for (let at = full; at < start; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13 || code === 0x2028 || code === 0x2029) return true;
  }
  return false;
}

/** Whether a name is followed by that of another, or a token like it, without looking further: `type X`, `async (`. */
export function following(pattern: RegExp): boolean {
  pattern.lastIndex = matches(TRIVIA, end);
  return pattern.test(text);
}

/** The code of the next token's first sign; 0 where the source ends. */
export function nextCode(): number {
  const code = end < length ? text.charCodeAt(end) : 0;
  if (code > 32 && code !== SLASH) return code;
  const offset = matches(TRIVIA, end);
  return offset < length ? text.charCodeAt(offset) : 0;
}

/** Whether the next token begins like a word or a number, or with one of the signs. */
export function followedBy(signs: string): boolean {
  const code = nextCode();
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95 || code === 36) return true;
  return signs !== "" && code < 128 && signs.includes(String.fromCharCode(code));
}

/** Whether the token is this one. */
export const at = (what: ts.SyntaxKind): boolean => kind === what;

export const atWord = (word: string): boolean => kind === SyntaxKind.Identifier && value === word;

/** The token's kind, for a look that must not be taken for one that was had before. */
export const now = (): ts.SyntaxKind => kind;

const BLANKS = /[ \t]*/y;

/** The same on its line, and without a comment between. */
export function followingOnLine(pattern: RegExp): boolean {
  pattern.lastIndex = matches(BLANKS, end);
  return pattern.test(text);
}

export interface Mark {
  readonly kind: ts.SyntaxKind;
  readonly start: number;
  readonly end: number;
  readonly full: number;
  readonly value: string;
}

export const mark = (): Mark => ({ kind, start, end, full, value });

export function reset(to: Mark): void {
  kind = to.kind;
  start = to.start;
  end = to.end;
  full = to.full;
  value = to.value;
}
