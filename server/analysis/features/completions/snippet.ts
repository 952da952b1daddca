// Snippets (LSP 3.17, Snippet Syntax): the inserted text with its tab stops. Clients without snippets get plain text.

/** Escapes text for a snippet. */
export const literally = (text: string): string => text.replace(/[\\$}]/g, "\\$&");

/** A tab stop; its placeholder text remains until the author replaces it. */
export const blank = (stop: number, text = ""): string => (text === "" ? `$${stop}` : `\${${stop}:${literally(text)}}`);

/** A tab stop with a choice of options; the first is preselected. */
export function choice(stop: number, options: readonly string[]): string {
  const [only] = options;
  if (options.length < 2) return blank(stop, only);
  return `\${${stop}|${options.map((option) => option.replace(/[\\$},|]/g, "\\$&")).join(",")}|}`;
}

/** Returns the snippet with its tab stops numbered after `from`. */
export function renumbered(snippet: string, from: number): string {
  return snippet.replace(/(?<!\\)\$(\{?)(\d+)/g, (_, brace: string, stop: string) => `$${brace}${Number(stop) + from}`);
}

/** Returns the number of the last tab stop. */
export const lastStop = (snippet: string): number =>
  Math.max(0, ...[...snippet.matchAll(/(?<!\\)\$\{?(\d+)/g)].map((match) => Number(match[1])));

/** Returns the plain text of the snippet, with the placeholder or first option of each tab stop. */
export function withoutStops(snippet: string): string {
  return snippet
    .replace(/(?<!\\)\$\{\d+\|((?:\\.|[^,|\\$])*)(?:,(?:\\.|[^|\\$])*)?\|\}/g, "$1")
    .replace(/(?<!\\)\$\{\d+:((?:\\.|[^}\\$])*)\}/g, "$1")
    .replace(/(?<!\\)\$\d+/g, "")
    .replace(/\\([\\$},|])/g, "$1");
}
