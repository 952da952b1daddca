// Renders JSON in the colours of the editor's debugger. Every part is inserted as text and never as markup.
import { html, type TemplateResult } from "lit";

/** The most characters that are coloured, because each value is an element. The rest is plain text. */
const MOST_COLOURED = 100_000;

/** Matches a string (which may be truncated) and the colon after a name, or a number, or a word. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** ECMAScript's proposal for exact numbers. The browser of every supported editor has it, but TypeScript's library does not. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * Formats JSON with indentation. Throws the errors of JSON.parse. Keeps numbers as written, because an ID may have more digits than a
 * number can hold.
 */
export const spaced = (json: string): string => JSON.stringify(JSON.parse(json, asWritten as Parameters<typeof JSON.parse>[1]), null, 2);

const asWritten = (_name: string, value: unknown, { source }: { readonly source: string }): unknown =>
  typeof value === "number" ? rawJSON(source) : value;

/** `text` is well-formed JSON, possibly truncated. */
export function jsonText(text: string): readonly (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let end = 0;
  for (const match of text.slice(0, MOST_COLOURED).matchAll(TOKEN)) {
    const [all, quoted, colon] = match;
    const token = quoted ?? all;
    parts.push(text.slice(end, match.index), html`<span class=${kindOf(token, colon !== undefined)}>${token}</span>`);
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}

function kindOf(token: string, isName: boolean): "key" | "string" | "number" | "boolean" | "null" {
  if (token.startsWith('"')) return isName ? "key" : "string";
  return token === "null" ? "null" : token === "true" || token === "false" ? "boolean" : "number";
}
