// Sources that would take seconds to be read, and those that are too large to be read at each key: nobody writes them by hand, and an editor
// would stand still.

/** Caught as what is too deep is. */
export class Involved extends RangeError {}

/** Words before a declaration or a type: at each, the parser looks through all that follow, and at the next one again. */
const MODIFIER =
  /\b(?:abstract|accessor|async|const|declare|default|export|in|infer|keyof|out|override|private|protected|public|readonly|static|typeof|unique)\b/g;
/** Blanks and comments; what cannot be the whole gap is no gap. */
const BETWEEN = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\r\n]*[\r\n])*$/;
const LONGEST_GAP = 200;
const MOST_MODIFIERS = 200;

/** So many words in a row are in this neighbourhood of an edit that makes a row of too many. */
const NEIGHBOURHOOD = 1_000;
const FEW_MODIFIERS = 3;

interface Part {
  readonly start: number;
  readonly end: number;
}

/** Whether a text is one of these; of a text that was none of them before the part became what it is, that alone is asked. */
export function isInvolved(text: string, changedPart?: Part): boolean {
  if (changedPart === undefined) return repeatsModifiers(text, MOST_MODIFIERS) || repeatsLinks(text);
  const { start, end } = changedPart;
  const mayRepeat = repeatsModifiers(text.slice(Math.max(0, start - NEIGHBOURHOOD), end + NEIGHBOURHOOD), FEW_MODIFIERS);
  if (mayRepeat && repeatsModifiers(text, MOST_MODIFIERS)) return true;
  // What is counted of links begins anew at each semicolon.
  const next = text.indexOf(";", end);
  return repeatsLinks(text.slice(text.lastIndexOf(";", start - 1) + 1, next < 0 ? text.length : next));
}

function repeatsModifiers(text: string, most: number): boolean {
  let row = 0;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(MODIFIER)) {
    const gap = index - end;
    row = gap === 1 || (gap < LONGEST_GAP && BETWEEN.test(text.slice(end, index))) ? row + 1 : 0;
    if (row > most) return true;
    end = index + word.length;
  }
  return false;
}

/** More names in a row than anybody writes: a tree of so many levels takes the parser seconds. */
const MOST_LINKS = 10_000;
/** Types in types that are not closed: the parser looks for the end of each, and of all in it again for the next. */
const MOST_OPEN = 100;

/** Whether names follow each other by `.` or `?.` without an end, or by `<`. One look at each character: a pattern would begin anew at each. */
function repeatsLinks(text: string): boolean {
  if (!hasMore(text, "<", MOST_OPEN) && !hasMore(text, ".", MOST_LINKS)) return false;
  let row = 0;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === DOT) row++;
    else if (char !== QUESTION && !isOfName(char)) row = 0;
    if (char === LESS) open++;
    else if (char === SEMICOLON) open = 0;
    else if (char === GREATER && open > 0 && text.charCodeAt(at - 1) !== EQUALS) open--;
    if (row > MOST_LINKS || open > MOST_OPEN) return true;
  }
  return false;
}

/** Whether a sign stands in the text more often than so many times: most sources are done with that. */
function hasMore(text: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) count++;
  return count > most;
}

const [DOT, LESS, EQUALS, GREATER, QUESTION, SEMICOLON, UNDERSCORE, DOLLAR] = [46, 60, 61, 62, 63, 59, 95, 36];

/** Of ASCII: letters, digits, `_` and `$`. */
const isOfName = (char: number): boolean =>
  (char >= 97 && char <= 122) || (char >= 65 && char <= 90) || (char >= 48 && char <= 57) || char === UNDERSCORE || char === DOLLAR;

/** So much text alone would take a gigabyte. */
export const MOST_CHARACTERS = 2_000_000;

/** Some ten thousand lines of code, which are read within half a second. Data counts for little: a text in quotes is one token. */
export const MOST_TOKENS = 100_000;

/** Whether a source is left unread for its size. It hangs on the text alone, so that an edited source and a new one agree. */
export const isTooLarge = (text: string): boolean =>
  text.length > MOST_CHARACTERS || (text.length > MOST_TOKENS && countTokens(text) > MOST_TOKENS);

/** Words, signs and texts in quotes, as a scanner would tell them apart; what stands in comments and templates counts as code. */
function countTokens(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    const isWord = isOfWord(char);
    if (isWord ? !inWord : char > SPACE) count++;
    inWord = isWord;
    if (char === DOUBLE_QUOTE || char === SINGLE_QUOTE) at = endOfText(text, at, char);
  }
  return count;
}

/** Where the text in quotes ends that begins at the offset: with its line where it is not closed, as behind an apostrophe in a comment. */
function endOfText(text: string, start: number, quote: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote || char === LINE_FEED) return at;
    if (char === BACKSLASH) at++;
  }
  return text.length;
}

const [LINE_FEED, DOUBLE_QUOTE, SINGLE_QUOTE, BACKSLASH] = [10, 34, 39, 92];
const [SPACE, LAST_OF_ASCII] = [32, 127];

const isOfWord = (char: number): boolean => isOfName(char) || char > LAST_OF_ASCII;
