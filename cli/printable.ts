// Texts of others (an API's answer, a provider's words, a name that a pack made) on a terminal: shown, never obeyed.

/** Control characters but the line break and the tab become visible: an escape sequence could move the cursor, retitle or paste. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
