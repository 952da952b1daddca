// Custom authentication: replaces `{{name-<invocationToken>}}` in a request's URL, headers, body and form (auth-spec 5.4).
// Invariants: a value is put in once and never looked at again; a placeholder that cannot be replaced stops the request.
import { isHeaderValue, refusal } from "./fetch-request.ts";

export type PlaceholderPlace = "url" | "header" | "json" | "form-body" | "text";

export interface PlaceholderValues {
  readonly invocationToken: string;
  readonly values: Readonly<Record<string, string>>;
}

const TOKEN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

export interface Replaced {
  readonly text: string;
  /** The names of the params that were put in. */
  readonly used: readonly string[];
}

/** Replaces every placeholder of a text. Throws request-refused for an unknown name or a stale token. */
export function replacePlaceholders(text: string, place: PlaceholderPlace, values: PlaceholderValues): Replaced {
  const used: string[] = [];
  // Of three braces in a row the first belongs to what is around.
  const open = place === "url" || place === "form-body" ? "(?:\\{\\{(?!\\{)|%7B%7B(?!%7B))" : "\\{\\{(?!\\{)";
  const close = place === "url" || place === "form-body" ? "(?:\\}\\}|%7D%7D)" : "\\}\\}";
  const token = quote(values.invocationToken);
  // A name is all that stands between the nearest marks.
  const pattern = new RegExp(`${open}((?:(?!\\{\\{|\\}\\}|%7B%7B|%7D%7D)[^])*?)-(${token}|${TOKEN})${close}`, "gi");
  const result = text.replace(pattern, (whole, rawName: string, foundToken: string, offset: number) => {
    const declared = (candidate: string): boolean => Object.hasOwn(values.values, candidate);
    const name = whole.startsWith("{{") ? rawName : (encodedNames(rawName).find(declared) ?? decode(rawName));
    if (foundToken !== values.invocationToken) {
      throw refusal(
        `the placeholder ${shown(name)} carries the token of another execution`,
        "Build it anew from context.invocationToken each time the formula runs.",
      );
    }
    const value = declared(name) ? values.values[name] : undefined;
    if (value === undefined) {
      const near = closest(name, Object.keys(values.values));
      throw refusal(
        `the placeholder ${shown(name)} names no param of the account`,
        near === undefined ? `Declared are: ${Object.keys(values.values).join(", ") || "none"}.` : `Did you mean ${near}?`,
      );
    }
    used.push(name);
    return encode(value, name, place, text, offset);
  });
  return { text: result, used };
}

/** Whether a text holds a placeholder of this execution. */
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
        throw refusal(`the value of ${name} holds a character that no header can carry`, "Sign in again and enter it without line breaks.");
      }
      return value;
    case "url": {
      const authorityEnd = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(text)?.[0].length ?? 0;
      if (offset >= authorityEnd) return encodeURIComponent(value.toWellFormed());
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(value)) {
        throw refusal(
          `the value of ${name} stands in the host of a URL and is no plain host label`,
          "Sign in again and enter only the part before the first dot, such as acme for acme.example.com.",
        );
      }
      return value;
    }
    case "text":
      return value;
  }
}

/** A name is any text; a person reads the beginning of it. */
const shown = (name: string): string => `{{${name.length > 100 ? `${name.slice(0, 100)}…` : name}-…}}`;

/** An encoded name, with `+` for a blank as forms write it, and without. */
const encodedNames = (text: string): readonly string[] => [decode(text), decode(text.replaceAll("+", " "))];

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");

/** The candidate within two edits of the name. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    // Of a name that is much longer every edit would be counted for nothing.
    if (name.length > 2 * candidate.length + 2) continue;
    const found = distance(name.toLowerCase(), candidate.toLowerCase());
    if (found <= Math.max(2, Math.floor(candidate.length / 3)) && (best === undefined || found < best.distance))
      best = { candidate, distance: found };
  }
  return best?.candidate;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
