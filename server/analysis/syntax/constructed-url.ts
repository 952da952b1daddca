// `new URL(path, base)` and its properties, as far as its arguments are known.
import type { Value } from "../model/values.ts";

type Unknown = Value & { readonly kind: "unknown" };

export const isConstructedUrl = (value: Value): value is Unknown => value.kind === "unknown" && value.call?.name === "URL";

/** Returns a property of a URL. */
export function partOfUrl(url: Unknown, name: string): Value {
  if (name === "href") return textOf(url);
  return isUrlCall(name) ? { kind: "unknown", place: url.place, call: { name, arguments: [url] } } : { kind: "unknown", place: url.place };
}

/** Returns the whole URL as a string: the same call, but without the type of an object. */
function textOf({ builtIn: _, ...text }: Unknown): Unknown {
  return text;
}

/** Whether the name is that of the URL as a whole, or of a part of it that can be determined. */
export const isUrlCall = (name: string): name is "URL" | "origin" | "host" | "hostname" => /^(?:URL|origin|host|hostname)$/.test(name);

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
