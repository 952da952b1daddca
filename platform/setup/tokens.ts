// Finds tokens of published forms in texts of evidence.
import { SECRET_FORMATS } from "../../spec/secret-formats.ts";

/** Matches each token. */
export const TOKEN = new RegExp(SECRET_FORMATS.map(({ pattern }) => `(?<![A-Za-z0-9])${pattern.source.slice(1)}`).join("|"), "g");

/** Returns whether a text contains a token, in its own spelling or percent-encoded. */
export function containsToken(text: string): boolean {
  const decoded = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return text.search(TOKEN) >= 0 || decoded.search(TOKEN) >= 0;
}

/** Returns whether a value contains a token, in any of its texts or names. */
export function hasToken(value: unknown): boolean {
  if (typeof value === "string") return containsToken(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => containsToken(name) || hasToken(inner));
}
