// The redactor: it knows every live secret in each form in which a secret may come back, and masks it before any sink.
// Invariant: nothing reaches pack code, a panel, a log, a file or a terminal without having passed through here.
import type { Credential } from "./credential.ts";
import { formsOf, partsOf, RARE_ENCODING, type SecretForm, SHORTEST_SECRET } from "./secret-forms.ts";

export { SHORTEST_SECRET };

/** The text that replaces a secret. */
export const MASK = "••••";
/** Nesting levels after which values are cut, because deeper ones would overflow the stack of later steps. */
export const DEEPEST_VALUE = 1_000;

/** A range of a text, from `start` to before `end`. */
export interface Range {
  readonly start: number;
  end: number;
}

/** Names that are cached as free of secrets, and characters of the longest such name. */
const MOST_NAMES = 1_000;
const LONGEST_NAME = 100;

/** The shared empty result: every string and number of a result is scanned, and most contain no secret. */
const NONE: readonly never[] = [];

const SIGNATURE = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

export const createRedactor = (secrets: readonly string[] = []): Redactor => new Redactor(secrets);

export class Redactor {
  readonly #forms = new Map<string, SecretForm>();
  readonly #secrets = new Set<string>();
  readonly #signatures = new Set<string>();
  /** Rows of a table repeat the same names. */
  readonly #cleanNames = new Set<string>();
  #patterns: { readonly usual: readonly RegExp[]; readonly rare: readonly RegExp[] } | undefined;
  #longest = 0;
  #shortest = Number.POSITIVE_INFINITY;

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.add(secret);
  }

  /** Characters of the longest form of any secret; 0 if no secret is known. */
  get reach(): number {
    return this.#longest;
  }

  /** Adds a secret. Returns false if it is too short to be masked. */
  add(secret: string): boolean {
    // Spaces alone would match the indentation of every text.
    if (secret.length < SHORTEST_SECRET || secret.trim() === "") return false;
    if (this.#secrets.has(secret)) return true;
    this.#secrets.add(secret);
    for (const form of partsOf(secret).flatMap(formsOf)) {
      this.#forms.set(form.source, form);
      this.#shortest = Math.min(this.#shortest, form.length);
      this.#longest = Math.max(this.#longest, form.reach + (LONGEST_NEEDLESS - 1) * form.length);
    }
    this.#patterns = undefined;
    this.#cleanNames.clear();
    return true;
  }

  /**
   * Adds a SHA-256 in hexadecimal digits that is secret for a while (a request's signature). It is searched for in this form only.
   * However many there are, a text is scanned for them once.
   */
  addSignature(signature: string): void {
    this.#signatures.add(signature);
    this.#cleanNames.clear();
    this.#longest = Math.max(this.#longest, signature.length);
  }

  /** Adds every secret of a credential. */
  addCredential(credential: Credential): void {
    for (const secret of secretsOf(credential)) this.add(secret);
  }

  redact(text: string): string {
    const ranges = this.ranges(text);
    return ranges.length === 0 ? text : maskRanges(text, ranges, text.length);
  }

  /** Returns the masked beginning of a text. A secret at the cut is masked as a whole. */
  redactStart(text: string, limit: number): string {
    const window = text.slice(0, limit + this.#longest);
    return maskRanges(window, this.ranges(window), limit);
  }

  /** Masks bytes; their number stays the same. */
  redactBytes(bytes: Uint8Array): Uint8Array {
    const ranges = this.ranges(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
    if (ranges.length === 0) return bytes;
    const result = new Uint8Array(bytes);
    for (const range of ranges) result.fill(0x2a, range.start, range.end);
    return result;
  }

  /** Returns whether a text contains a secret in any form. */
  finds(text: string): boolean {
    return this.ranges(text).length > 0;
  }

  /** Returns the ranges of secrets in a text, in order. Overlapping ranges are merged, so that no part of a secret remains. */
  ranges(text: string): readonly Range[] {
    if (this.#longest === 0) return NONE;
    const matches = this.#matchesIn(text);
    // An encoded secret is never shorter than the plain one.
    if (text.length >= this.#shortest)
      for (const { read, placeOf } of readingsOf(text))
        for (const { start, end } of this.#matchesIn(read)) matches.push({ start: placeOf(start), end: placeOf(end) });
    matches.push(...this.#signaturesIn(text));
    const ranges: Range[] = [];
    for (const range of matches.sort((a, b) => a.start - b.start)) {
      const last = ranges.at(-1);
      if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
      else ranges.push(range);
    }
    return ranges;
  }

  /**
   * Masks a JSON value: every string, every key, and every number that spells a secret. Returns the value itself if it contains no secret,
   * because most values contain none and a copy costs more than a scan. `depth` is the nesting level of the value.
   */
  redactValue<T>(value: T, depth?: number): T;
  redactValue(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.redact(value);
    if (typeof value === "number") return this.finds(String(value)) ? MASK : value;
    if (value === null || typeof value !== "object") return value;
    if (depth >= DEEPEST_VALUE) return `(nested more than ${DEEPEST_VALUE} levels deep)`;
    return Array.isArray(value) ? this.#redactItems(value, depth + 1) : this.#redactMembers(value as Members, depth + 1);
  }

  #redactItems(items: readonly unknown[], depth: number): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      const masked = this.redactValue(item, depth);
      if (masked === item) continue;
      copy ??= items.slice();
      copy[index] = masked;
    }
    return copy ?? items;
  }

  #redactMembers(members: Members, depth: number): Members {
    const keys = Object.keys(members);
    let copy: [string, unknown][] | undefined;
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as string;
      const name = this.#redactName(key);
      const item = this.redactValue(members[key], depth);
      if (copy === undefined && name === key && item === members[key]) continue;
      copy ??= entriesOf(members, keys.slice(0, at));
      copy.push([name, item]);
    }
    // Object.fromEntries treats a key named __proto__ as an ordinary key.
    return copy === undefined ? members : Object.fromEntries(copy);
  }

  #redactName(name: string): string {
    if (this.#cleanNames.has(name)) return name;
    const masked = this.redact(name);
    if (masked === name && this.#cleanNames.size < MOST_NAMES && name.length <= LONGEST_NAME) this.#cleanNames.add(name);
    return masked;
  }

  /** Returns the patterns for a text: the usual ones, and the rare ones if the text contains a rare encoding. */
  #patternsFor(text: string): readonly RegExp[] {
    if (text.length < this.#shortest) return NONE;
    if (this.#patterns === undefined) {
      const longestFirst = [...this.#forms.values()].sort((a, b) => b.length - a.length);
      this.#patterns = { usual: anyOf(longestFirst.filter(({ rare }) => !rare)), rare: anyOf(longestFirst.filter(({ rare }) => rare)) };
    }
    const { usual, rare } = this.#patterns;
    return rare.length > 0 && RARE_ENCODING.test(text) ? [...usual, ...rare] : usual;
  }

  #matchesIn(text: string): Range[] {
    const matches: Range[] = [];
    for (const pattern of this.#patternsFor(text)) {
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        matches.push({ start: match.index, end: match.index + match[0].length });
        pattern.lastIndex = match.index + 1;
      }
    }
    return matches;
  }

  #signaturesIn(text: string): readonly Range[] {
    return this.#signatures.size === 0
      ? NONE
      : [...text.matchAll(SIGNATURE)].flatMap(({ 0: candidate, index }) =>
          this.#signatures.has(candidate) ? [{ start: index, end: index + candidate.length }] : [],
        );
  }
}

/** Returns the masked beginning of a text. */
function maskRanges(text: string, ranges: readonly Range[], limit: number): string {
  let result = "";
  let from = 0;
  for (const range of ranges) {
    if (range.start >= limit) break;
    result += text.slice(from, range.start) + MASK;
    from = range.end;
  }
  return result + (from < limit ? text.slice(from, limit) : "");
}

/**
 * Matches the code of a letter or digit, which usual encoders leave plain but URL and JSON.parse decode.
 * The code may follow up to `levels` further `25`, or up to `backslashes` backslashes.
 */
const needlessCode = (levels: number, backslashes: number): RegExp =>
  new RegExp(`%(?:25){0,${levels}}(3\\d|[46][1-9a-f]|[57][\\da])|\\\\{1,${backslashes}}u00(3\\d|[46][1-9a-f]|[57][\\da])`, "gi");
/** Encoded once, twice and more often. A text may need the first alone: `%2530` may be an encoded `%` before `30`, or `0` encoded twice. */
const NEEDLESS_ONCE = needlessCode(0, 1);
const NEEDLESS_OFTEN = [needlessCode(1, 3), needlessCode(2, 7), needlessCode(3, 7)];
/** Characters of the longest such code: seven backslashes and `u0061`. */
const LONGEST_NEEDLESS = 12;

/** A decoded text, and the original index of each of its characters. */
interface Reading {
  readonly read: string;
  readonly placeOf: (index: number) => number;
}

/** Returns the texts that a reader may decode from this one; none for most texts. */
function readingsOf(text: string): readonly Reading[] {
  // Searching for one character is many times faster, and a table has thousands of texts without any.
  if (!(text.includes("%") || text.includes("\\u00"))) return NONE;
  const patterns = text.includes("%25") || text.includes("\\\\u00") ? [NEEDLESS_ONCE, ...NEEDLESS_OFTEN] : [NEEDLESS_ONCE];
  const readings = patterns.flatMap((pattern) => withoutNeedless(text, pattern) ?? []);
  return readings.filter(({ read }, index) => read !== readings[index - 1]?.read);
}

function withoutNeedless(text: string, pattern: RegExp): Reading | undefined {
  const codes = [...text.matchAll(pattern)];
  if (codes.length === 0) return undefined;
  const places: number[] = [];
  let read = "";
  let end = 0;
  const copy = (until: number): void => {
    read += text.slice(end, until);
    while (end < until) places.push(end++);
  };
  for (const { 0: whole, 1: byte, 2: unit = byte, index } of codes) {
    copy(index);
    read += String.fromCharCode(Number.parseInt(unit as string, 16));
    places.push(index);
    end = index + whole.length;
  }
  copy(text.length);
  return { read, placeOf: (index) => places[index] ?? text.length };
}

/** Characters of one pattern. The time to compile it grows with their square; a usual credential needs a tenth of them. */
const LONGEST_PATTERN = 16_000;

function anyOf(forms: readonly SecretForm[]): readonly RegExp[] {
  const sources: string[] = [];
  for (const { source } of forms) {
    const last = sources.at(-1);
    if (last !== undefined && last.length + source.length < LONGEST_PATTERN) sources[sources.length - 1] = `${last}|${source}`;
    else sources.push(source);
  }
  return sources.map((source) => new RegExp(source, "g"));
}

type Members = Readonly<Record<string, unknown>>;

const entriesOf = (members: Members, keys: readonly string[]): [string, unknown][] => keys.map((key) => [key, members[key]]);

/** Returns the parts of a credential that must never be seen. */
export function secretsOf(credential: Credential): readonly string[] {
  switch (credential.kind) {
    case "token":
      return [credential.token];
    case "values":
      return Object.values(credential.values);
    case "basic":
      return [
        // With usernameOnly the user name is the secret.
        credential.password === "" ? credential.username : credential.password,
        // RFC 7617, section 2: the value in the header.
        Buffer.from(`${credential.username}:${credential.password}`, "utf8").toString("base64"),
      ];
    case "oauth2":
      return [credential.accessToken, ...(credential.refreshToken === undefined ? [] : [credential.refreshToken])];
    case "aws":
      return [credential.secretAccessKey, ...(credential.sessionToken === undefined ? [] : [credential.sessionToken])];
  }
}
