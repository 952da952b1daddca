// Measures the nesting of JSON before it is parsed. Parsers and code that walks a value recurse for each level, so deliberately deep JSON
// could exhaust the stack.

/** Levels of arrays and objects in a file that people or the product write: the limit for a value, and the levels around it. */
export const DEEPEST_FILE = 1_100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns a scanner that takes a text piece by piece, whether or not it is JSON. The scanner returns true once arrays and objects nest more
 * than `most` levels.
 */
export function createDepthScan(most: number): (piece: string) => boolean {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (inString) {
        if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE) inString = true;
      else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        if (++depth > most) return true;
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    }
    return false;
  };
}

/** Returns whether the text nests deeper than a file may. */
export const isTooDeepForFile = (text: string): boolean => text.length > DEEPEST_FILE && createDepthScan(DEEPEST_FILE)(text);
