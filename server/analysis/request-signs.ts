// What a request shows at a look, as bits: most packs send nothing of what many rules about requests look for. Of a request that is kept
// over an edit they are kept too: nothing in them is a position, and nothing is read but what the request itself holds.
import { propertyOf } from "./config.ts";
import { keptWith } from "./kept-with.ts";
import type { ObjectValue } from "./model.ts";
import type { PackRequest } from "./requests.ts";

/** A URL is relative to the account's endpoint. */
export const RELATIVE = 1;
/** A URL begins with http: in some spelling. */
export const PLAIN_HTTP = 2;
/** The invocation token stands in a URL, or may stand in a header. */
export const TOKEN = 4;
/** A user name may stand in a URL. */
export const USER = 8;
export const QUERY = 16;
export const HEADERS = 32;
/** A header may be the one for credentials. */
export const AUTHORIZATION = 64;

export const requestSigns = keptWith(({ options, urls }: PackRequest): number => {
  let signs = options === undefined ? 0 : headerSigns(options);
  for (const { known, relative, pieces } of urls) {
    if (relative) signs |= RELATIVE;
    if (/^http:/i.test(known)) signs |= PLAIN_HTTP;
    if (known.includes("@")) signs |= USER;
    for (const piece of pieces) {
      if (piece.kind === "token") signs |= TOKEN;
      else if (piece.kind === "text" && piece.text.includes("?")) signs |= QUERY;
    }
  }
  return signs;
});

/** Of headers that are not all written out in their place, anything may be. */
function headerSigns(options: ObjectValue): number {
  const headers = propertyOf(options, "headers")?.value;
  if (headers === undefined) return 0;
  if (headers.kind !== "object" || headers.spreads.length > 0) return HEADERS | AUTHORIZATION | TOKEN;
  let signs = HEADERS;
  for (const { name, value } of headers.properties) {
    if (value.kind !== "string") signs |= TOKEN;
    if (/authorization$/i.test(name)) signs |= AUTHORIZATION;
  }
  return signs;
}
