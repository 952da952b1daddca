// Sources that would take seconds to be read: nobody writes them, and an editor would stand still.

/** Caught as what is too deep is. */
export class Involved extends RangeError {}

/** Words before a declaration or a type: at each, the parser looks through all that follow, and at the next one again. */
const MODIFIER =
  /\b(?:abstract|accessor|async|const|declare|default|export|in|infer|keyof|out|override|private|protected|public|readonly|static|typeof|unique)\b/g;
/** Blanks and comments; what cannot be the whole gap is no gap. */
const BETWEEN = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\r\n]*[\r\n])*$/;
const LONGEST_GAP = 200;
const MOST_MODIFIERS = 200;

export function repeatsModifiers(text: string): boolean {
  let row = 0;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(MODIFIER)) {
    const gap = index - end;
    row = gap === 1 || (gap < LONGEST_GAP && BETWEEN.test(text.slice(end, index))) ? row + 1 : 0;
    if (row > MOST_MODIFIERS) return true;
    end = index + word.length;
  }
  return false;
}

/** Longer ones than anybody writes: a tree of so many levels takes the parser seconds, as does looking for the end of so many types. */
const MOST_LINKS = 10_000;

/** Whether names follow each other by `.`, `?.` or `<` without an end. One look at each character: a pattern would begin anew at each. */
export function repeatsLinks(text: string): boolean {
  if (text.length < 2 * MOST_LINKS) return false;
  let row = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === DOT || char === LESS) row++;
    else if (char !== QUESTION && !isOfName(char)) row = 0;
    if (row > MOST_LINKS) return true;
  }
  return false;
}

const [DOT, LESS, QUESTION, UNDERSCORE, DOLLAR] = [46, 60, 63, 95, 36];

/** Of ASCII: letters, digits, `_` and `$`. */
const isOfName = (char: number): boolean =>
  (char >= 97 && char <= 122) || (char >= 65 && char <= 90) || (char >= 48 && char <= 57) || char === UNDERSCORE || char === DOLLAR;
