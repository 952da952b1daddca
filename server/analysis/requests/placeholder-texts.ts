// The texts that may contain placeholders, and the places of their parts in the source.
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { type MappedText, mapped, type Piece, piecesOf } from "./partial-text.ts";
import { type PackRequest, requestsOf } from "./requests.ts";

/** A text, and the request that carries it. */
export interface CarriedText extends MappedText {
  readonly request?: PackRequest;
  /** Whether the text is sent in the body or form, which may contain anything. */
  readonly isContent: boolean;
}

/** Returns the texts of requests, in their URLs, headers, bodies and forms; then every string with a brace, wherever it is used. */
export const textsOf = (pack: PackModel): readonly CarriedText[] => pack.memo(pack, readTexts);

const readTexts = (pack: PackModel): readonly CarriedText[] => [...eachText(pack)];

function* eachText(pack: PackModel): Iterable<CarriedText> {
  for (const request of requestsOf(pack).all) {
    for (const { pieces } of request.urls) yield { ...mapped(pieces), request, isContent: false };
    for (const name of ["headers", "body", "form"]) {
      const property = request.options && propertyOf(request.options, name);
      if (property !== undefined) yield { ...mapped(piecesOf(property.value, pack.resolve)), request, isContent: name !== "headers" };
    }
  }
  for (const { braced } of pack.facts) for (const value of braced) yield { ...mapped(piecesOf(value, pack.resolve)), isContent: false };
}

/** Returns the place of the piece's characters, if the source contains them verbatim. */
export function contentOf(pack: PackModel, piece: Piece): Place | undefined {
  if (piece.kind !== "text") return undefined;
  const { file, start, end } = piece.place;
  const source = pack.text(file);
  const from = start + 1;
  const to = source.slice(end - 2, end) === "${" ? end - 2 : end - 1;
  return source.slice(from, to) === piece.text ? { file, start: from, end: to } : undefined;
}

/** Returns the span of the source for a part of the text, or the whole piece if the source does not contain its characters verbatim. */
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
