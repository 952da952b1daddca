// Words of a pack inside Markdown of ours, as text: a description in its source is no link, no image that is fetched, and no code of a page.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSEEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Nothing in it is hidden, or turns its direction: what is quoted of a source cannot pass for another text. */
export const replaceInvisible = (text: string): string => text.replaceAll(UNSEEN, "\ufffd");

const onOneLine = (text: string): string => replaceInvisible(text.replaceAll(/\s+/g, " "));

/** Every sign that Markdown could read, with a backslash before it (CommonMark 2.4): addresses are links there without any sign of their own. */
export const plain = (text: string): string => onOneLine(text).replaceAll(/[!-/:-@[-`{-~]/g, "\\$&");

/** Inside a line. */
export function code(text: string): string {
  const line = onOneLine(text);
  const ticks = "`".repeat(longestTicks(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** Lines of their own. */
export function codeBlock(language: string, text: string): string {
  const ticks = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${ticks}${language}\n${replaceInvisible(text)}\n${ticks}`;
}

const longestTicks = (text: string): number => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
