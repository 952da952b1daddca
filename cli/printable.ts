// Texts of others (an API's answer, a provider's words, a name that a pack made) on a terminal: shown, never obeyed.

/** What a terminal obeys; and what turns a text's direction, so that it reads as something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Control characters but the line break and the tab become visible: an escape sequence could move the cursor, retitle or paste. */
export const printable = (text: string): string =>
  text.replace(OBEYED, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
