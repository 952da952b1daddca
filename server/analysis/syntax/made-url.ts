// `new URL(path, base)`, and what is read of it, as far as the texts say that it is made of.
import type { Value } from "../model/values.ts";

type Unknown = Value & { readonly kind: "unknown" };

export const isConstructedUrl = (value: Value): value is Unknown => value.kind === "unknown" && value.call?.name === "URL";

/** A property of a URL. */
export function partOfUrl(url: Unknown, name: string): Value {
  if (name === "href") return textOf(url);
  return isUrlCall(name) ? { kind: "unknown", place: url.place, call: { name, arguments: [url] } } : { kind: "unknown", place: url.place };
}

/** The whole as a text: it has what the URL was made of, and is no object. */
function textOf({ builtIn: _, ...text }: Unknown): Unknown {
  return text;
}

/** What can be told of a URL: all of it, or one of its parts. */
export const isUrlCall = (name: string): name is "URL" | "origin" | "host" | "hostname" => /^(?:URL|origin|host|hostname)$/.test(name);

/** What is known at the beginning of a text. */
interface Beginning {
  readonly text: string;
  readonly whole: boolean;
}

/** An absolute URL whose host is all there. */
const PLACED = /^https?:\/\/[^/?#]+[/?#]/i;
/** A path that keeps the base's host, whatever follows. */
const RELATIVE = /^(?:\/(?!\/)|[\w.~-]*[/?#])/;

/** The part of the URL that the two make; undefined where they do not tell. Behind the host of a whole one there may be more. */
export function constructedUrlText(
  name: "URL" | "origin" | "host" | "hostname",
  path: Beginning,
  base: Beginning | undefined,
): string | undefined {
  const isRelative = RELATIVE.test(path.text) || (path.whole && /^[\w.~/-]*$/.test(path.text));
  const { text, whole } = isRelative && base !== undefined ? base : path;
  if (!PLACED.test(whole ? `${text}/` : text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (name !== "URL") return url[name];
  return isRelative || !whole ? `${url.origin}/` : url.href;
}
