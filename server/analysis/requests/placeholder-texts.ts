// Texts that placeholders stand in, and where in the source a part of one stands.
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { type MappedText, mapped, type Piece, piecesOf } from "./partial-text.ts";
import { type PackRequest, requestsOf } from "./requests.ts";

/** A text with the request that carries it. */
export interface CarriedText extends MappedText {
  readonly request?: PackRequest;
  /** It is sent as the body or in the form, which may hold anything. */
  readonly isContent?: boolean;
}

/** What requests carry, in their URLs, headers, bodies and forms; then every text with a brace, wherever it goes. */
export function* textsOf(pack: PackModel): Iterable<CarriedText> {
  for (const request of requestsOf(pack).all) {
    for (const { pieces } of request.urls) yield { ...mapped(pieces), request };
    for (const name of ["headers", "body", "form"]) {
      const property = request.options && propertyOf(request.options, name);
      if (property !== undefined) yield { ...mapped(piecesOf(property.value, pack.resolve)), request, isContent: name !== "headers" };
    }
  }
  for (const { braced } of pack.facts) for (const value of braced) yield mapped(piecesOf(value, pack.resolve));
}

/** Where the piece's characters stand in the source, if they stand there as they are. */
export function contentOf(pack: PackModel, piece: Piece): Place | undefined {
  if (piece.kind !== "text") return undefined;
  const { file, start, end } = piece.place;
  const source = pack.text(file);
  const from = start + 1;
  const to = source.slice(end - 2, end) === "${" ? end - 2 : end - 1;
  return source.slice(from, to) === piece.text ? { file, start: from, end: to } : undefined;
}

/** The span of the source that makes the part of the text; the whole piece where its characters are written otherwise. */
export function placeIn(pack: PackModel, { pieces, text }: MappedText, start: number, end: number): Place | undefined {
  const offsetOf = (at: number, isEnd: boolean): Place | undefined => {
    const index = pieces.findLastIndex((candidate) => (isEnd ? candidate.at < at : candidate.at <= at));
    const entry = pieces[index];
    if (entry === undefined) return undefined;
    const content = contentOf(pack, entry.piece);
    const { place } = entry.piece;
    if (content === undefined) return place;
    const offset = content.start + (at - entry.at);
    return { file: place.file, start: offset, end: offset };
  };
  const from = offsetOf(Math.min(start, text.length), false);
  const to = offsetOf(end, true);
  if (from === undefined || to === undefined) return undefined;
  return from.file === to.file && from.start < to.end ? { file: from.file, start: from.start, end: to.end } : from;
}
