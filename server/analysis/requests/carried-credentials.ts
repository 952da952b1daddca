// The values that a request carries where services accept credentials: in headers, cookies and parameters, and in the path of its URL.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { PackModel } from "../model/pack.ts";
import type { Parameter } from "../model/values.ts";
import { CREDENTIAL_COOKIE, isCredentialName } from "./credential-names.ts";
import { namedPieces } from "./named-pieces.ts";
import { mapped, type Piece, piecesOf } from "./partial-text.ts";
import type { RequestUrl } from "./read-request.ts";
import { headersOf, type PackRequest } from "./requests.ts";

interface Carried {
  readonly piece: Parameter;
  readonly where: string;
  /** Whether the value is in the path of the URL, so that the request gives it no name. */
  readonly isInPath: boolean;
}

export function carriedCredentials(pack: PackModel, request: PackRequest): readonly Carried[] {
  const byRequest = pack.memo(pack, newRequests);
  const before = byRequest.get(request);
  if (before !== undefined) return before;
  const carried = [...carriedInHeaders(pack, request), ...request.urls.flatMap((url) => carriedInUrl(pack, url))];
  byRequest.set(request, carried);
  return carried;
}

const newRequests = (): Map<PackRequest, readonly Carried[]> => new Map();

function* carriedInHeaders(pack: PackModel, request: PackRequest): Iterable<Carried> {
  for (const { header } of headersOf(pack, request)) {
    const isCookie = header.name.toLowerCase() === "cookie";
    if (!isCookie && !isCredentialName(header.name)) continue;
    const { text, pieces } = mapped(piecesOf(header.value, pack.resolve));
    for (const { at, piece } of pieces)
      if (!isCookie || isCredentialCookie(text.slice(0, at)))
        for (const one of named(piece)) yield { piece: one, where: `the header ${header.name}`, isInPath: false };
  }
}

/** The URLs of a request outlive an edit elsewhere. */
const carriedInUrl = (pack: PackModel, url: RequestUrl): readonly Carried[] =>
  getOrInsert(pack.resolverMemo(pack.resolve, newUrls), url, () => [...readCarried(url)]);
const newUrls = (): WeakMap<RequestUrl, readonly Carried[]> => new WeakMap();

function* readCarried(url: RequestUrl): Iterable<Carried> {
  const { text, pieces } = mapped(url.pieces);
  for (const { at, piece } of pieces)
    for (const one of named(piece)) if (IN_PATH.test(text.slice(0, at))) yield { piece: one, where: "a part of the URL", isInPath: true };
  if (url.text.includes("?"))
    for (const { name, piece } of namedPieces({ text, pieces }))
      if (isCredentialName(name))
        for (const one of named(piece)) yield { piece: one, where: `the URL's parameter ${name}`, isInPath: false };
}

/** Matches the text before a value in the path of a URL. */
const IN_PATH = /^(?:https?:\/\/[^/?#]+)?\/[^?#]*$/i;

export const named = (piece: Piece): readonly Parameter[] => (piece.kind === "parameter" ? [piece] : []);

/** Whether the text before the value ends with the name of a credential cookie: `lang=en; session=`. */
function isCredentialCookie(before: string): boolean {
  const name = before.slice(before.lastIndexOf(";") + 1).trim();
  return name.endsWith("=") && CREDENTIAL_COOKIE.test(name.slice(0, -1));
}
