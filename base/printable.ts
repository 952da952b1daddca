// Texts of others (an API's answer, a provider's words, a name that a pack made): what a terminal or an editor would obey, and what nobody
// would see, is shown. For the client and the command line alike.

/**
 * Control characters but the line break and the tab, marks of direction, and what has no look of its own. What letters and pictures need
 * stays: a joiner and a selector behind a letter or a picture of theirs.
 */
const UNSEEN =
  /(?!(?<=[\p{L}\p{M}\p{Emoji}])(?<![A-Za-z])(?:\u200c|\u200d|[\ufe00-\ufe0f]))(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/** Most texts. */
const PLAIN = /^[\t\n\u0020-\u007e]*$/;

const escaped = (match: string): string =>
  [...Array(match.length).keys()].map((unit) => `\\u${match.charCodeAt(unit).toString(16).padStart(4, "0")}`).join("");

/** An escape sequence could move the cursor, retitle or paste; a mark of direction shows a text as another one. In JSON it says the same as before. */
export const printable = (text: string): string => (PLAIN.test(text) ? text : text.replaceAll("\r\n", "\n").replace(UNSEEN, escaped));
