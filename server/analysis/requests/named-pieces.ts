// The named values in a string of a request.

import { type MappedText, type Piece, TOKEN, UNKNOWN } from "./partial-text.ts";

/** A named value: the invocation token, or an unknown value. */
interface NamedPiece {
  readonly name: string;
  readonly piece: Piece;
}

/** `name=value` of a query, form or object, or `"name": "value"` of JSON written as a string. */
const NAMED = /(?:(?:^|[?&\n])([\w.-]+)=|["']([\w.-]+)["']\s*:\s*["']?)(?:(?:Bearer|Basic|Token) )?[\uE001\uE002]/gi;
/** A part of every named value. */
const NAMES = /[="']/;
/** `https://token@host`, `https://user:token@host`. */
const USER = /^https?:\/\/(?:[^/?#@:]*:)?[\uE001\uE002](?=:?@)/i;

export function* namedPieces({ text, pieces }: MappedText): Iterable<NamedPiece> {
  if ((!text.includes(TOKEN) && !text.includes(UNKNOWN)) || !NAMES.test(text)) return;
  for (const { index, 0: whole, 1: ofQuery, 2: ofJson } of text.matchAll(NAMED)) {
    const piece = pieces.find(({ at }) => at === index + whole.length - 1)?.piece;
    if (piece !== undefined) yield { name: ofQuery ?? ofJson ?? "", piece };
  }
}

/** Returns the user, or the user's password, in a URL. */
export function userPiece({ text, pieces }: MappedText): Piece | undefined {
  const end = USER.exec(text)?.[0].length;
  return end === undefined ? undefined : pieces.find(({ at }) => at === end - 1)?.piece;
}
