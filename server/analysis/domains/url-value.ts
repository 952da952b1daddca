// What a value says of itself as a URL, without guessing at what is computed.
import type { Value } from "../model/values.ts";

/** Stands for a part that is not known in {@link staticText}; no source has it in a URL. */
export const UNKNOWN_PART = "\0";

/** The text, or the known beginning of one. */
export function staticPrefix(value: Value | undefined): string | undefined {
  if (value?.kind === "string") return value.value;
  const first = value?.kind === "template" ? value.parts[0] : undefined;
  return first?.kind === "string" && first.value !== "" ? first.value : undefined;
}

/** The text with {@link UNKNOWN_PART} for what is computed; undefined where nothing of it is known. */
export function staticText(value: Value | undefined): string | undefined {
  if (value?.kind === "string") return value.value;
  return value?.kind === "template" ? value.parts.map((part) => staticText(part) ?? UNKNOWN_PART).join("") : undefined;
}

export function isAbsoluteUrl(value: Value | undefined): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(staticPrefix(value) ?? "");
}

/** The URL's host in lower case, without user and port; undefined where the text has none or its end is not known. */
export const hostOf = (text: string): string | undefined => {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(text)?.[1];
  const host = authority?.replace(/^.*@/, "").replace(/:\d*$/, "").toLowerCase();
  return host === undefined || host === "" || host.endsWith(UNKNOWN_PART) ? undefined : host;
};

/** A URL that only lacks its beginning, with https:// before it; undefined for anything else. */
export function withScheme(text: string): string | undefined {
  const rest = /^\/\/([a-z0-9-].*)$/i.exec(text)?.[1] ?? (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[:/?#]|$)/i.test(text) ? text : undefined);
  return rest !== undefined && URL.canParse(`https://${rest}`) ? `https://${rest}` : undefined;
}

/** One `name=value` of a URL's query. */
export interface QueryPart {
  /** Decoded; undefined where it is not known. */
  readonly name: string | undefined;
  readonly value: string | undefined;
  /** Where it stands in the text. */
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

/** The URL without these parts of its query. */
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
