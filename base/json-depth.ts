// How deep JSON nests, before it is parsed: what parses it, or walks over its value, goes down level by level and runs out of stack on what
// somebody nested on purpose.

/** Levels of lists and objects in a file that people write, or that the product wrote for them: a value at its own limit, and what it is in. */
export const DEEPEST_FILE = 1_100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Takes a text piece by piece: true once lists and objects stand in each other more than `most` times, whether or not it is JSON. */
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

/** Whether a text is too deep for a file that is read whole. */
export const isTooDeepForFile = (text: string): boolean => text.length > DEEPEST_FILE && createDepthScan(DEEPEST_FILE)(text);
