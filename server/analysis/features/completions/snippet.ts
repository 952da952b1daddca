// Snippets (LSP 3.17, Snippet Syntax): the text that is inserted, with its blanks as tab stops. Plain text where the client has none.

/** Text inside a snippet, taken literally. */
export const literally = (text: string): string => text.replace(/[\\$}]/g, "\\$&");

/** A blank; its text stands there until it is typed over. */
export const blank = (stop: number, text = ""): string => (text === "" ? `$${stop}` : `\${${stop}:${literally(text)}}`);

/** A blank that is filled with one of the options; the first stands there. */
export function choice(stop: number, options: readonly string[]): string {
  const [only] = options;
  if (options.length < 2) return blank(stop, only);
  return `\${${stop}|${options.map((option) => option.replace(/[\\$},|]/g, "\\$&")).join(",")}|}`;
}

/** The stops of a snippet, counted on from those of the text before it. */
export function renumbered(snippet: string, from: number): string {
  return snippet.replace(/(?<!\\)\$(\{?)(\d+)/g, (_, brace: string, stop: string) => `$${brace}${Number(stop) + from}`);
}

/** The number of the last stop. */
export const lastStop = (snippet: string): number =>
  Math.max(0, ...[...snippet.matchAll(/(?<!\\)\$\{?(\d+)/g)].map((match) => Number(match[1])));

/** What the snippet leaves where every blank keeps its text. */
export function withoutStops(snippet: string): string {
  return snippet
    .replace(/(?<!\\)\$\{\d+\|((?:\\.|[^,|\\$])*)(?:,(?:\\.|[^|\\$])*)?\|\}/g, "$1")
    .replace(/(?<!\\)\$\{\d+:((?:\\.|[^}\\$])*)\}/g, "$1")
    .replace(/(?<!\\)\$\d+/g, "")
    .replace(/\\([\\$},|])/g, "$1");
}
