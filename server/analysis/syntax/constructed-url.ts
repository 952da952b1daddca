// `new URL(path, base)` and its properties, as far as its arguments are known.
import type { ConstructedUrl, Expression, NewUrl, Value } from "../model/values.ts";

export const isUrl = (expression: Expression): expression is ConstructedUrl | NewUrl =>
  expression.kind === "url" || expression.kind === "newUrl";

/** Returns a property of a URL. */
export function partOfUrl(url: ConstructedUrl, name: string): Value;
export function partOfUrl(url: ConstructedUrl | NewUrl, name: string): Expression;
export function partOfUrl(url: ConstructedUrl | NewUrl, name: string): Expression {
  if (name === "href") return textOf(url);
  return isPartOfUrl(name) ? { kind: "computed", place: url.place, name, arguments: [url] } : { kind: "unknown", place: url.place };
}

/** Returns the whole URL as a string. */
const textOf = (url: ConstructedUrl | NewUrl): ConstructedUrl | NewUrl =>
  url.kind === "url" ? { ...url, isText: true } : { ...url, url: { ...url.url, isText: true } };

type UrlPart = "origin" | "host" | "hostname";

/** Whether the name is that of a part of the URL that can be determined. */
export const isPartOfUrl = (name: string): name is UrlPart => /^(?:origin|host|hostname)$/.test(name);

/** The known beginning of a string. */
interface Beginning {
  readonly text: string;
  readonly whole: boolean;
}

/** Matches an absolute URL with a complete host. */
const PLACED = /^https?:\/\/[^/?#]+[/?#]/i;
/** Matches a path that keeps the base's host, whatever follows. */
const RELATIVE = /^(?:\/(?!\/)|[\w.~-]*[/?#])/;

/** Returns the named part of the resulting URL, or undefined if it is unknown. For "URL", an unknown rest may follow the host. */
export function constructedUrlText(name: "URL" | UrlPart, path: Beginning, base: Beginning | undefined): string | undefined {
  const isRelative = RELATIVE.test(path.text) || (path.whole && /^[\w.~/-]*$/.test(path.text));
  const { text, whole } = isRelative && base !== undefined ? base : path;
  if (!PLACED.test(whole ? `${text}/` : text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (name !== "URL") return url[name];
  return isRelative || !whole ? `${url.origin}/` : url.href;
}
