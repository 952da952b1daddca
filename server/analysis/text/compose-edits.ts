// Edits made one after another, each in what the one before it left, as edits of the text that they began with: an editor applies them at
// once and keeps the cursor where it was.
import type { Span } from "../model/values.ts";

interface Replacement extends Span {
  readonly text: string;
}

interface Composed {
  readonly text: string;
  /** Positions are those of the text as it is now. */
  replace(edit: Replacement): void;
  /** In order; positions are those of the original. */
  edits(): readonly Replacement[];
}

/** What is left of the original, or was put in. */
interface Piece {
  readonly text: string;
  /** Where it stands in the original; undefined where it was put in. */
  readonly from?: number;
}

export function composeEdits(original: string): Composed {
  let pieces: readonly Piece[] = original === "" ? [] : [{ text: original, from: 0 }];
  /** Put together once for all who ask between two edits. */
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
