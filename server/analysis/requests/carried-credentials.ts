// The values that a request carries where services accept credentials: in headers, cookies and parameters, in the path of its URL, and in
// its body.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Parameter } from "../model/values.ts";
import { CREDENTIAL_COOKIE, isCredentialName } from "./credential-names.ts";
import { namedPieces } from "./named-pieces.ts";
import { type MappedText, mapped, type Piece, piecesOf } from "./partial-text.ts";
import type { RequestUrl } from "./read-request.ts";
import { headersOf, type PackRequest } from "./requests.ts";

interface Carried {
  readonly piece: Parameter;
  readonly where: string;
  /** Under a name that nothing but a credential has, perhaps encoded in base64; under another name; in the path of the URL, without a name. */
  readonly as: "credential" | "encoded" | "other" | "segment";
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
        for (const one of piece.kind === "encoded" ? piece.encodes.flatMap(named).slice(0, 1) : named(piece))
          yield { piece: one, where: `the header ${header.name}`, as: piece.kind === "encoded" ? "encoded" : "credential" };
  }
}

/** The URLs of a request outlive an edit elsewhere. */
const carriedInUrl = (pack: PackModel, url: RequestUrl): readonly Carried[] =>
  getOrInsert(pack.resolverMemo(pack.resolve, newUrls), url, () => [...readCarried(url)]);
const newUrls = (): WeakMap<RequestUrl, readonly Carried[]> => new WeakMap();

function* readCarried(url: RequestUrl): Iterable<Carried> {
  const { text, pieces } = mapped(url.pieces);
  for (const { at, piece } of pieces)
    for (const one of named(piece)) if (IN_PATH.test(text.slice(0, at))) yield { piece: one, where: "a part of the URL", as: "segment" };
  if (url.text.includes("?")) yield* carriedIn({ text, pieces }, "the URL's parameter ");
}

/** Returns the values in the request's body or form if they may be of the environment, since others may be somebody else's credentials. */
export function* carriedInBody(pack: PackModel, { options }: PackRequest): Iterable<Carried> {
  if (!pack.memo(pack, namesProcess)) return;
  for (const field of ["body", "form"]) {
    const property = options && propertyOf(options, field);
    if (property !== undefined) yield* carriedIn(mapped(piecesOf(property.value, pack.resolve)), `the ${field}'s `);
  }
}

const namesProcess = ({ facts }: PackModel): boolean => facts.some(({ text }) => text.includes("process"));

function* carriedIn(text: MappedText, carrier: string): Iterable<Carried> {
  for (const { name, piece } of namedPieces(text))
    for (const one of named(piece)) yield { piece: one, where: carrier + name, as: isCredentialName(name) ? "credential" : "other" };
}

/** Matches the text before a value in the path of a URL. */
const IN_PATH = /^(?:https?:\/\/[^/?#]+)?\/[^?#]*$/i;

export const named = (piece: Piece): readonly Parameter[] => (piece.kind === "parameter" ? [piece] : []);

/** Whether the text before the value ends with the name of a credential cookie: `lang=en; session=`. */
function isCredentialCookie(before: string): boolean {
  const name = before.slice(before.lastIndexOf(";") + 1).trim();
  return name.endsWith("=") && CREDENTIAL_COOKIE.test(name.slice(0, -1));
}
