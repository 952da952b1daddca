// What a request shows at a look, as bits: most packs send nothing of what many rules about requests look for. Nothing is read but the
// call itself and the texts that it goes to.
import { propertyOf } from "./config.ts";
import type { ContextCall } from "./context-facts.ts";
import type { Value } from "./model.ts";
import type { RequestText } from "./read-request.ts";
import { TOKEN as TOKEN_SIGN } from "./text-pieces.ts";

/** A URL is relative to the account's endpoint. */
export const RELATIVE = 1;
/** A URL begins with http: in some spelling. */
export const PLAIN_HTTP = 2;
/** The invocation token stands in a URL, or may stand in a header, a body or a form. */
export const TOKEN = 4;
/** A user name may stand in a URL. */
export const USER = 8;
export const QUERY = 16;
export const HEADERS = 32;
/** A header may be the one for credentials. */
export const AUTHORIZATION = 64;

export function requestSigns(call: ContextCall, urls: readonly RequestText[]): number {
  let signs = headerSigns(call.arguments[0]);
  for (let index = 0; index < urls.length; index++) {
    const { known, relative, text } = urls[index] as RequestText;
    if (relative) signs |= RELATIVE;
    if (!known.startsWith("https") && /^http:/i.test(known)) signs |= PLAIN_HTTP;
    if (known.includes("@")) signs |= USER;
    if (text.includes(TOKEN_SIGN)) signs |= TOKEN;
    if (text.includes("?")) signs |= QUERY;
  }
  return signs;
}

/** Of options and headers that are not all written out in their place, anything may be. */
function headerSigns(options: Value | undefined): number {
  if (options === undefined) return 0;
  if (options.kind !== "object" || options.spreads.length > 0) return HEADERS | AUTHORIZATION | TOKEN;
  const sent = ["body", "form"].map((name) => propertyOf(options, name)?.value);
  let signs = sent.some((value) => value !== undefined && value.kind !== "string") ? TOKEN : 0;
  const headers = propertyOf(options, "headers")?.value;
  if (headers === undefined) return signs;
  if (headers.kind !== "object" || headers.spreads.length > 0) return HEADERS | AUTHORIZATION | TOKEN;
  signs |= HEADERS;
  for (const { name, value } of headers.properties) {
    if (value.kind !== "string") signs |= TOKEN;
    if (/authorization$/i.test(name)) signs |= AUTHORIZATION;
  }
  return signs;
}
