// Reads data of unknown shape: own members alone, and texts that fit into a line.

import { isRecord } from "../../../base/is-record.ts";
import { printable } from "../../../base/printable.ts";
import { quoteName } from "../../../base/quote.ts";
import { MASK } from "../../secrets/redact.ts";
import { TOKEN } from "../tokens.ts";

/** References that are followed one after another, since they may lead in a circle. */
const MOST_REFERENCES = 20;

/**
 * A part of a description. Each step into it follows references (JSON Reference) inside the description. A reference to a file or URL is
 * never read, and stays what it is. References are followed one by one: the whole description without references would be endless.
 */
export class Part {
  readonly value: unknown;
  readonly #root: unknown;

  constructor(value: unknown, root: unknown = value) {
    this.#root = root;
    this.value = follow(value, root);
  }

  /** Returns the part at the path; its value is undefined if there is none. */
  at(...path: readonly (string | number)[]): Part {
    return path.reduce<Part>(({ value }, key) => new Part(memberOf(value, key), this.#root), this);
  }

  /** Returns the string at the path, or an empty one. */
  text(...path: readonly (string | number)[]): string {
    const { value } = this.at(...path);
    return typeof value === "string" ? value : "";
  }

  list(...path: readonly (string | number)[]): readonly Part[] {
    const { value } = this.at(...path);
    return Array.isArray(value) ? value.map((inner) => new Part(inner, this.#root)) : [];
  }

  entries(...path: readonly (string | number)[]): readonly (readonly [string, Part])[] {
    const { value } = this.at(...path);
    return isRecord(value) ? Object.entries(value).map(([name, inner]) => [name, new Part(inner, this.#root)]) : [];
  }
}

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string | number, unknown>>)[key]
    : undefined;

function follow(value: unknown, root: unknown, left = MOST_REFERENCES): unknown {
  const reference = isRecord(value) ? memberOf(value, "$ref") : undefined;
  if (typeof reference !== "string" || !reference.startsWith("#/") || left === 0) return value;
  let target = root;
  for (const key of reference.slice(2).split("/")) target = follow(memberOf(target, unescaped(key)), root, left - 1);
  return target ?? value;
}

/** A key of a JSON pointer in a URL's fragment (RFC 6901, section 6). */
function unescaped(key: string): string {
  const pointer = key.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

/** Returns the value as text of one line, without secrets and characters that a terminal or an editor would interpret. */
export function lineOf(value: unknown, most = 200): string {
  const text = String(value)
    .slice(0, 2 * most)
    .replace(TOKEN, MASK)
    .replace(/\s+/g, " ")
    .trim();
  const line = printable(text);
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}

/** Returns a name of the description for a sentence of ours: quoted if it may be a sentence itself. */
export const shownName = (value: unknown, most = 80): string => quoteName(lineOf(value, most));

/** Returns the URL, or undefined if the text is none. */
export const urlOf = (text: string, base?: string): URL | undefined => (URL.canParse(text, base) ? new URL(text, base) : undefined);
