// Which texts of a source are credentials: how the search for the published forms begins, and what looks random.
import { PRIVATE_KEY, SECRET_FORMATS } from "../../../spec/secret-formats.ts";

/** All beginnings in one look through the text, as no part of a longer word. */
export const SECRET_BEGINNING = new RegExp(
  `\\b(?:${SECRET_FORMATS.map(({ prefix }) => prefix).join("|")})[A-Za-z0-9]|${PRIVATE_KEY.prefix}`,
  "g",
);

/** Texts that people write where the token would stand. */
const PLACEHOLDER =
  /x{4}|\*{3}|\.{3}|(?:^|[^a-z])(?:your|my|example|sample|dummy|fake|test|token|secret|placeholder|change|insert|replace|redacted)(?:[^a-z]|$)|0123456|1234567|abcdef(?:g|0)|(.)\1{5}/i;

export const looksLikePlaceholder = (text: string): boolean => PLACEHOLDER.test(text);

/** Bits a character: random base62 of 20 characters has about 4, hex about 3.3. */
const LEAST_ENTROPY = 3;

/** Whether a text is made of random characters, as credentials are, and is no "your-token-here". */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || looksLikePlaceholder(text)) return false;
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits >= LEAST_ENTROPY;
}

/** Whether a header's value is a scheme and what looks made by a machine, or that alone: `Bearer abc123…`. */
export function isLiteralCredential(header: string): boolean {
  const [, value = ""] = /^(?:[A-Za-z][\w-]*\s+)?([^\s{}$<>]+)$/.exec(header) ?? [];
  return value.length >= 10 && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !looksLikePlaceholder(value);
}
