// Quotes text from outside within our own sentences, so that a reader, or an agent, can tell the two apart.
import { printable } from "./printable.ts";

/** Returns the text as it may be between “ and ”: printable, and with straight quotation marks for its own. */
export const quotable = (text: string): string => printable(text).replace(/[“”]/g, '"');

/** Returns the text between “ and ”. In our own sentences, what is between these two is from outside. */
export const quote = (text: string): string => `“${quotable(text)}”`;

/** Returns a name from outside: quoted, unless it has no blank and is too short for a sentence. */
export const quoteName = (name: string): string => (/^[\x21-\x7e]{1,80}$/.test(name) ? name : quote(name));

/** Returns our sentences (at even places) and the quotations in them (at odd places). A text that was cut may end within a quotation. */
export const splitQuotes = (text: string): readonly string[] => text.split(/“([^”]*)(?:”|$)/);
