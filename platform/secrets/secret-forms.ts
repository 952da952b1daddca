// The forms in which a secret may come back, as one regular expression source for each encoding. Servers may encode only some characters,
// or encode twice. Every character that an encoder may change therefore matches in all its spellings, in any mixture.
// Invariant: every repetition is bounded, so that no text makes the match slow.

/** Characters without surrounding spaces. Shorter values would mask half of every text; people are warned about them when they connect. */
export const SHORTEST_SECRET = 6;

/** Base64 characters of a secret; shorter runs would match by chance. */
const SHORTEST_BASE64 = 6;

export interface SecretForm {
  readonly source: string;
  /** Characters of the plain form; longer forms are tried first. */
  readonly length: number;
  /** Characters of the longest match. */
  readonly reach: number;
  /**
   * Whether an encoder wrote it that leaves only letters and digits plain. Such forms are searched for only if {@link RARE_ENCODING}
   * matches.
   */
  readonly rare: boolean;
}

/** Every rare form contains one of these: an entity, an escape, or the percent code of a character that is seldom encoded. */
export const RARE_ENCODING = /&(?:amp;)*#|\\[ux]00|\\x|%(?:25)*(?:2[deDE]|5[fF])/;

/** Characters of the longest spelling of one character: a quote after seven backslashes, each of them a `%2525255C`. */
const LONGEST_SPELLING = 72;
/** Digits that may follow the beginning of a number; no number has more. */
const MOST_DIGITS = 400;

const reachOf = (text: string): number => text.length + (LONGEST_SPELLING - 1) * (text.match(/[^A-Za-z0-9]/g)?.length ?? 0);

/** Longer secrets are searched for in parts: a pattern of all their spellings would take seconds to compile, or be too large. */
const LONGEST_WHOLE = 2_000;
const LONGEST_PART = 500;
/** Characters that an encoder may change, in a whole secret and in a part. */
const MOST_SPELLED = 200;
const MOST_SPELLED_IN_PART = 40;
/** Characters that two parts share, so that no encoding leaves a gap between them; and the shortest last part. */
const OVERLAP = 8;
const SHORTEST_LAST = 40;

const isSpelled = (text: string, at: number): boolean => !/[A-Za-z0-9]/.test(text.charAt(at));

/** Returns the parts of a secret, each of which is masked separately; a secret of usual length is one part. */
export function partsOf(secret: string): readonly string[] {
  if (secret.length <= LONGEST_WHOLE && (secret.match(/[^A-Za-z0-9]/g)?.length ?? 0) <= MOST_SPELLED) return [secret];
  const parts: string[] = [];
  for (let start = 0, end = 0; end < secret.length; start = beforeHalf(secret, end - OVERLAP)) {
    let spelled = 0;
    for (end = start; end < secret.length && end - start < LONGEST_PART && spelled < MOST_SPELLED_IN_PART; end++)
      if (isSpelled(secret, end)) spelled++;
    end = end === secret.length ? end : beforeHalf(secret, end);
    parts.push(secret.slice(end === secret.length ? Math.max(0, Math.min(start, beforeHalf(secret, end - SHORTEST_LAST))) : start, end));
  }
  // Spaces alone would match the indentation of every text.
  return parts.filter((part) => part.trim() !== "");
}

/** Returns the index, or the one before it if the index would split a surrogate pair. */
const beforeHalf = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at);

/** Returns every form of one secret. */
export function formsOf(secret: string): readonly SecretForm[] {
  const forms: SecretForm[] = [];
  // HTTP strips spaces around a header's value, so the secret may come back without its own.
  for (const text of new Set([secret, secret.trim()])) {
    // Without its spaces the secret may be a common word.
    if (text !== secret && text.length < SHORTEST_SECRET) continue;
    forms.push({ source: spelled(text), length: text.length, reach: reachOf(text), rare: false });
    // This is a separate form, because it is rare and would slow down the usual one.
    if (/[._-]/.test(text)) forms.push({ source: spelled(text, true), length: text.length, reach: reachOf(text), rare: true });
  }
  // A value in the host of a URL comes back in lower case.
  if (/^[a-z0-9-]+$/i.test(secret) && secret !== secret.toLowerCase())
    forms.push({ source: spelled(secret.toLowerCase()), length: secret.length, reach: reachOf(secret), rare: false });
  // A number with many digits loses its last digits in JSON.
  if (/^\d{16,}$/.test(secret)) forms.push({ source: `${secret.slice(0, 15)}\\d*`, length: 15, reach: MOST_DIGITS, rare: false });
  for (const text of new Set([secret, ...writtenBefore(secret)])) {
    const bytes = Buffer.from(text, "utf8");
    const hexDigits = bytes.toString("hex");
    forms.push({ source: [...hexDigits].map(hexDigit).join(""), length: hexDigits.length, reach: hexDigits.length, rare: false });
    for (let offset = 0; offset < 3; offset++) {
      const own = ownBase64(bytes, offset);
      if (own.length < SHORTEST_BASE64) continue;
      forms.push({ source: [...own].map(base64Character).join(""), length: own.length, reach: reachOf(own), rare: false });
    }
  }
  return forms;
}

/** Returns the secret as JSON and as a part of a URL, each of which may then be encoded as a whole. */
const writtenBefore = (secret: string): readonly string[] => [
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];

/** Returns the base64 characters that depend on the bytes alone if `offset` other bytes (modulo 3) precede them. */
function ownBase64(bytes: Uint8Array, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  return whole.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
}

/** RFC 4648, sections 4 and 5: `+` and `/`, or `-` and `_`. */
function base64Character(character: string): string {
  if (character === "+") return `(?:-|${spelledCharacter("+")})`;
  return character === "/" ? `(?:_|${spelledCharacter("/")})` : character;
}

/** Returns the pattern of a text. `all` is true for encoders that leave only letters and digits plain. */
function spelled(text: string, all = false): string {
  let source = "";
  for (const [run] of text.matchAll(/\\+|[\s\S]/gu)) {
    // Each level of JSON encoding doubles the backslashes.
    source += run.startsWith("\\") ? backslashes(run.length) : spelledCharacter(run, all);
  }
  return source;
}

const backslashes = (count: number): string => {
  const encoded = [percent("\\"), ...unicode("\\"), ...entities("\\")].join("|");
  const levels = [8, 4, 2, 1].map((times) => `\\\\{${count * times}}`).join("|");
  return `(?:${levels}|(?:${encoded}){${count}})`;
};

/** Returns one character in every spelling: plain, percent-encoded (twice too), JSON- and JavaScript-escaped, or as an HTML entity. */
function spelledCharacter(character: string, all = false): string {
  // Characters that no usual encoder changes (RFC 3986, section 2.3, except the tilde).
  if ((all ? /^[A-Za-z0-9]$/ : /^[A-Za-z0-9._-]$/).test(character)) return plain(character);
  const spellings = [percent(character), ...unicode(character), ...entities(character)];
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) spellings.push(`\\\\{1,7}${short}`);
  if (character === '"' || character === "/" || character === "'") spellings.push(`\\\\{1,7}${plain(character)}`);
  // JSON that was percent-encoded as a whole.
  if (character === '"' || character === "/") spellings.push(`(?:${percent("\\")}){1,7}(?:${percent(character)}|${plain(character)})`);
  if (character === " ") spellings.push("\\+", percent("+"));
  if (character.charCodeAt(0) > 0x7f) {
    // UTF-8 that was read as Latin-1, as in bytes or in text under a wrong charset.
    spellings.push(plain(Buffer.from(character, "utf8").toString("latin1")));
  }
  // The plain form is last: at the end of a secret, `%` must not match the beginning of `%25`.
  return `(?:${[...spellings, plain(character)].join("|")})`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" };

const ENTITY_NAMES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

const plain = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

const hexDigit = (digit: string): string => (/[a-f]/i.test(digit) ? `[${digit.toLowerCase()}${digit.toUpperCase()}]` : digit);

const hex = (value: number, width: number): string => [...value.toString(16).padStart(width, "0")].map(hexDigit).join("");

function percent(character: string): string {
  return [...Buffer.from(character.toWellFormed(), "utf8")].map((byte) => `%(?:25){0,3}${hex(byte, 2)}`).join("");
}

function unicode(character: string): readonly string[] {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const escaped = units.map((unit) => `\\\\{1,7}u${hex(unit, 4)}`).join("");
  const [first = 0] = units;
  return units.length === 1 && first < 0x100 ? [escaped, `\\\\{1,7}x${hex(first, 2)}`] : [escaped];
}

function entities(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const ampersand = "&(?:amp;){0,2}";
  const name = ENTITY_NAMES[character];
  return [
    `${ampersand}#0{0,6}${code};`,
    `${ampersand}#[xX]0{0,6}${[...code.toString(16)].map(hexDigit).join("")};`,
    ...(name === undefined ? [] : [`${ampersand}${name};`]),
  ];
}
