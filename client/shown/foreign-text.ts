// What the editor makes of text: in notifications and prompts `[text](command:…)` is a link, one click away from a shell; in picks, lenses and
// the status bar `$(name)` is a picture. Text of a server, a pack or a file may hold both. Pure, so that it can be tested without an editor.
import { printable } from "../../base/printable.ts";

/** Characters of one text that are shown. */
const MOST = 10_000;

/** The text, and nothing else: a blank keeps a link and a picture from being one. Lines stay lines. */
export function asText(text: string): string {
  const printableText = printable(text.length > MOST ? `${text.slice(0, MOST)}…` : text);
  return printableText.replace(/[\]$](?=\()/g, "$& ");
}

/** The same on one line: a line of its own could pass for one of ours. */
export const asLine = (text: string): string =>
  asText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");

/** For a log: what follows on the first line stands further in than an entry of the log begins. */
export const asEntry = (text: string): string => asText(text).replaceAll("\n", "\n    ");

/** Only a page of the web is ever opened: any other scheme is a command, or a program of the machine. */
export const isWebPage = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
