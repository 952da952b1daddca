// Which texts of a source are credentials: how the search for the published forms begins, and what looks random.
import { PRIVATE_KEY, SECRET_FORMATS } from "../../../spec/secret-formats.ts";

/** Matches every prefix in one pass over the text, unless it is inside a longer word. */
export const SECRET_BEGINNING = new RegExp(
  `\\b(?:${SECRET_FORMATS.map(({ prefix }) => prefix).join("|")})[A-Za-z0-9]|${PRIVATE_KEY.prefix}`,
  "g",
);

/** Matches strings that authors write in place of a token. */
const PLACEHOLDER =
  /x{4}|\*{3}|\.{3}|(?:^|[^a-z])(?:your|my|example|sample|dummy|fake|test|token|secret|placeholder|change|insert|replace|redacted)(?:[^a-z]|$)|0123456|1234567|abcdef(?:g|0)|(.)\1{5}/i;

export const looksLikePlaceholder = (text: string): boolean => PLACEHOLDER.test(text);

/** Bits per character: random base62 of 20 characters has about 4, hex about 3.3. */
const LEAST_ENTROPY = 3;

/** Whether a string consists of random characters, like a credential, and not of words like "your-token-here". */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || looksLikePlaceholder(text)) return false;
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits >= LEAST_ENTROPY;
}

/** Whether a header's value is a credential, with or without a scheme: `Bearer abc123…`. */
export function isLiteralCredential(header: string): boolean {
  const [, value = ""] = /^(?:[A-Za-z][\w-]*\s+)?([^\s{}$<>]+)$/.exec(header) ?? [];
  return value.length >= 10 && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !looksLikePlaceholder(value);
}
