// Detects sources that would take seconds to parse, or are too large to be parsed at each keystroke. Nobody writes these by hand, and they
// would freeze an editor.

/** Thrown for a source that takes too long to read. It is a RangeError, and so handled like a stack overflow. */
export class Involved extends RangeError {}

/** Matches words before a declaration or type. At each of them the parser scans all that follow, and again at the next. */
const MODIFIER =
  /\b(?:abstract|accessor|async|const|declare|default|export|in|infer|keyof|out|override|private|protected|public|readonly|static|typeof|unique)\b/g;
/** Matches a gap of whitespace and comments. */
const BETWEEN = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\r\n]*[\r\n])*$/;
const LONGEST_GAP = 200;
const MOST_MODIFIERS = 200;

/** Number of characters around an edit that are searched for a row of such words first. */
const NEIGHBOURHOOD = 1_000;
const FEW_MODIFIERS = 3;

interface Part {
  readonly start: number;
  readonly end: number;
}

/** Whether a text is one of these sources. If the text before an edit was not, only the changed part is checked. */
export function isInvolved(text: string, changedPart?: Part): boolean {
  if (changedPart === undefined) return repeatsModifiers(text, MOST_MODIFIERS) || repeatsLinks(text);
  const { start, end } = changedPart;
  const mayRepeat = repeatsModifiers(text.slice(Math.max(0, start - NEIGHBOURHOOD), end + NEIGHBOURHOOD), FEW_MODIFIERS);
  if (mayRepeat && repeatsModifiers(text, MOST_MODIFIERS)) return true;
  // The count of open types starts again at each semicolon.
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

/** Maximum number of names in a member chain: the parser needs seconds for a tree of so many levels. */
const MOST_LINKS = 10_000;
/** Maximum number of unclosed type arguments: the parser searches for the end of each, and again for each one inside it. */
const MOST_OPEN = 100;

/** Whether the text has an endless chain of `.`, `?.` or `<`. It is one pass over the characters, since a pattern would restart at each. */
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

/** Whether a character occurs in the text more often than `most`. For most sources this is the only check. */
function hasMore(text: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) count++;
  return count > most;
}

const [DOT, LESS, EQUALS, GREATER, QUESTION, SEMICOLON, UNDERSCORE, DOLLAR] = [46, 60, 61, 62, 63, 59, 95, 36];

/** Whether the character is an ASCII letter, digit, `_` or `$`. */
const isOfName = (char: number): boolean =>
  (char >= 97 && char <= 122) || (char >= 65 && char <= 90) || (char >= 48 && char <= 57) || char === UNDERSCORE || char === DOLLAR;

/** Maximum number of characters: the text alone would take a gigabyte of memory. */
export const MOST_CHARACTERS = 2_000_000;

/**
 * Maximum number of tokens: some ten thousand lines of code, which parse within half a second. A quoted string is one token, so data counts
 * little.
 */
export const MOST_TOKENS = 100_000;

/** Whether a source is too large to analyse. This depends on the text only, so that an edited source and a new one agree. */
export const isTooLarge = (text: string): boolean =>
  text.length > MOST_CHARACTERS || (text.length > MOST_TOKENS && countTokens(text) > MOST_TOKENS);

/** Counts words, punctuation and quoted strings, like a scanner. Comments and templates count as code. */
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

/** Returns the end of the quoted string at the offset. An unclosed one, such as an apostrophe in a comment, ends with its line. */
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
