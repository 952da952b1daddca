// Makes text from outside (an API's response, a provider's message, a pack's name) safe to display. Characters that a terminal or editor
// would interpret, and invisible ones, become visible. The client and the command line share this.

/**
 * Control characters except line break and tab, direction marks, and invisible characters. Joiners and variation selectors behind a letter
 * or an emoji stay, because scripts and emoji need them.
 */
const UNSEEN =
  /(?!(?<=[\p{L}\p{M}\p{Emoji}])(?<![A-Za-z])(?:\u200c|\u200d|[\ufe00-\ufe0f]))(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/** Printable ASCII, which most texts are. */
const PLAIN = /^[\t\n\u0020-\u007e]*$/;

const escaped = (match: string): string =>
  [...Array(match.length).keys()].map((unit) => `\\u${match.charCodeAt(unit).toString(16).padStart(4, "0")}`).join("");

/**
 * Escapes control and invisible characters as `\uXXXX`. An escape sequence could move the cursor, retitle the window or paste. A direction
 * mark could disguise a text. In JSON the escaped text has the same meaning.
 */
export const printable = (text: string): string => (PLAIN.test(text) ? text : text.replaceAll("\r\n", "\n").replace(UNSEEN, escaped));
