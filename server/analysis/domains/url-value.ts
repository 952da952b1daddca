// The value of a URL, without guessing its computed parts.
import type { Expression } from "../model/values.ts";

/** The character for an unknown part in {@link staticText}; it does not occur in a URL in source. */
export const UNKNOWN_PART = "\0";

/** Returns the string, or its known beginning. */
export function staticPrefix(value: Expression | undefined): string | undefined {
  if (value?.kind === "string") return value.value;
  const first = value?.kind === "template" ? value.parts[0] : undefined;
  return first?.kind === "string" && first.value !== "" ? first.value : undefined;
}

/** Returns the string with {@link UNKNOWN_PART} for computed parts, or undefined if it is entirely unknown. */
export function staticText(value: Expression | undefined): string | undefined {
  if (value?.kind === "string") return value.value;
  return value?.kind === "template" ? value.parts.map((part) => staticText(part) ?? UNKNOWN_PART).join("") : undefined;
}

export function isAbsoluteUrl(value: Expression | undefined): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(staticPrefix(value) ?? "");
}

/** Returns the URL's host in lower case, without user and port. Returns undefined if there is none or its end is unknown. */
export const hostOf = (text: string): string | undefined => {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(text)?.[1];
  const host = authority?.replace(/^.*@/, "").replace(/:\d*$/, "").toLowerCase();
  return host === undefined || host === "" || host.endsWith(UNKNOWN_PART) ? undefined : host;
};

/** Returns a URL that lacks only its scheme with https:// before it, or undefined for anything else. */
export function withScheme(text: string): string | undefined {
  const rest = /^\/\/([a-z0-9-].*)$/i.exec(text)?.[1] ?? (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[:/?#]|$)/i.test(text) ? text : undefined);
  return rest !== undefined && URL.canParse(`https://${rest}`) ? `https://${rest}` : undefined;
}

/** One `name=value` of a URL's query. */
export interface QueryPart {
  /** Decoded; undefined if it is unknown. */
  readonly name: string | undefined;
  readonly value: string | undefined;
  /** The offset of the part in the text. */
  readonly offset: number;
  readonly length: number;
}

export function queryParts(text: string): readonly QueryPart[] {
  const query = /^[^?#]*\?([^#]*)/.exec(text)?.[1] ?? "";
  if (query === "") return [];
  let offset = text.indexOf("?") + 1;
  return query.split("&").flatMap((part): QueryPart[] => {
    const at = offset;
    offset += part.length + 1;
    if (part === "") return [];
    const [name = "", ...value] = part.split("=");
    return [{ name: decode(name), value: decode(value.join("=")), offset: at, length: part.length }];
  });
}

/** Returns the URL without these parts of its query. */
export function withoutQueryParts(text: string, parts: readonly QueryPart[]): string {
  const [before = "", hash] = text.split(/(?=#)/, 2);
  const start = before.indexOf("?");
  if (start < 0) return text;
  const left = queryParts(text).filter((part) => !parts.some((other) => other.offset === part.offset));
  const query = left.map(({ offset, length }) => text.slice(offset, offset + length)).join("&");
  return `${before.slice(0, start)}${query === "" ? "" : `?${query}`}${hash ?? ""}`;
}

function decode(text: string): string | undefined {
  if (text.includes(UNKNOWN_PART)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
