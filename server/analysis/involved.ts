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
