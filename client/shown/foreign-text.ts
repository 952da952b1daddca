// Neutralises the editor's markup in text from a server, a pack or a file. In notifications and prompts `[text](command:…)` is a link, one
// click away from a shell. In picks, lenses and the status bar `$(name)` is an icon. Pure, so that it can be tested without an editor.
import { printable } from "../../base/printable.ts";

/** The most characters of a text that are shown. */
const MOST = 10_000;

/** Returns the text without markup: a space breaks up links and icons. Line breaks stay. */
export function asText(text: string): string {
  const printableText = printable(text.length > MOST ? `${text.slice(0, MOST)}…` : text);
  return printableText.replace(/[\]$](?=\()/g, "$& ");
}

/** Returns the same on one line: a separate line could pass for a line of Pack Auth. */
export const asLine = (text: string): string =>
  asText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");

/** Returns a log entry whose further lines are indented, so that they cannot pass for another entry. */
export const asEntry = (text: string): string => asText(text).replaceAll("\n", "\n    ");

/** Returns whether the URL is a web page. Any other scheme may be a command or start a program, so it is never opened. */
export const isWebPage = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
