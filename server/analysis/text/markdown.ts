// Text of a pack inside Markdown. A description in a pack's source must not become a link, a fetched image, or code of a page.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSEEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces invisible and bidirectional characters, so that a quoted source cannot pass for another text. */
export const replaceInvisible = (text: string): string => text.replaceAll(UNSEEN, "\ufffd");

const onOneLine = (text: string): string => replaceInvisible(text.replaceAll(/\s+/g, " "));

/** Returns the text with a backslash before every punctuation character (CommonMark 2.4), since even plain addresses become links. */
export const plain = (text: string): string => onOneLine(text).replaceAll(/[!-/:-@[-`{-~]/g, "\\$&");

/** Returns the text as inline code. */
export function code(text: string): string {
  const line = onOneLine(text);
  const ticks = "`".repeat(longestTicks(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** Returns the text as a fenced code block. */
export function codeBlock(language: string, text: string): string {
  const ticks = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${ticks}${language}\n${replaceInvisible(text)}\n${ticks}`;
}

const longestTicks = (text: string): number => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
