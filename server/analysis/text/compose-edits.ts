// Composes successive edits, each of the previous result, into edits of the original text. An editor applies these at once and keeps the
// cursor position.
import type { Span } from "../model/values.ts";

interface Replacement extends Span {
  readonly text: string;
}

interface Composed {
  readonly text: string;
  /** Applies an edit; its positions refer to the current text. */
  replace(edit: Replacement): void;
  /** Returns the edits in order; their positions refer to the original. */
  edits(): readonly Replacement[];
}

/** A piece of the current text, which is original or inserted. */
interface Piece {
  readonly text: string;
  /** The offset in the original; undefined if the piece was inserted. */
  readonly from?: number;
}

export function composeEdits(original: string): Composed {
  let pieces: readonly Piece[] = original === "" ? [] : [{ text: original, from: 0 }];
  /** The current text, computed once between two edits. */
  let joinedText: string | undefined = original;
  return {
    get text() {
      joinedText ??= pieces.map(({ text }) => text).join("");
      return joinedText;
    },
    replace({ start, end, text }) {
      const [before, rest] = cut(pieces, start);
      const [, after] = cut(rest, end - start);
      joinedText = undefined;
      pieces = [...before, ...(text === "" ? [] : [{ text }]), ...after];
    },
    edits() {
      const replacements: Replacement[] = [];
      let position = 0;
      let inserted = "";
      const flush = (next: number): void => {
        if (next > position || inserted !== "") replacements.push({ start: position, end: next, text: inserted });
        inserted = "";
      };
      for (const { text, from } of pieces) {
        if (from === undefined) inserted += text;
        else {
          flush(from);
          position = from + text.length;
        }
      }
      flush(original.length);
      return replacements.filter(({ start, end, text }) => original.slice(start, end) !== text);
    },
  };
}

function cut(pieces: readonly Piece[], at: number): readonly [readonly Piece[], readonly Piece[]] {
  let left = at;
  for (const [index, piece] of pieces.entries()) {
    if (left < piece.text.length) {
      if (left <= 0) return [pieces.slice(0, index), pieces.slice(index)];
      const { text, from } = piece;
      const second = { text: text.slice(left), ...(from === undefined ? {} : { from: from + left }) };
      return [
        [...pieces.slice(0, index), { ...piece, text: text.slice(0, left) }],
        [second, ...pieces.slice(index + 1)],
      ];
    }
    left -= piece.text.length;
  }
  return [pieces, []];
}
