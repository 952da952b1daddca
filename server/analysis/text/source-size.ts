// Which sources are too large to be read at each key. Nobody writes as much into one file by hand: it is generated or bundled.

/** So much text alone would take a gigabyte. */
export const MOST_CHARACTERS = 2_000_000;

/** Some ten thousand lines of code, which are read within half a second. Data counts for little: a text of letters is one word. */
export const MOST_TOKENS = 100_000;

/** Whether a source is left unread for its size. It hangs on the text alone, so that an edited source and a new one agree. */
export const isTooLarge = (text: string): boolean =>
  text.length > MOST_CHARACTERS || (text.length > MOST_TOKENS && countTokens(text) > MOST_TOKENS);

/** Words and signs, as a scanner would tell them apart, also within texts and comments. */
function countTokens(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    const isWord = isOfWord(char);
    if (isWord ? !inWord : char > SPACE) count++;
    inWord = isWord;
  }
  return count;
}

const [SPACE, UNDERSCORE, DOLLAR, LAST_OF_ASCII] = [32, 95, 36, 127];

const isOfWord = (char: number): boolean =>
  (char >= 97 && char <= 122) ||
  (char >= 65 && char <= 90) ||
  (char >= 48 && char <= 57) ||
  char === UNDERSCORE ||
  char === DOLLAR ||
  char > LAST_OF_ASCII;
