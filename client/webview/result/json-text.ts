// JSON as text, in the colours in which the editor's debugger shows values. It is put into the document as texts: nothing of it is markup.
import { html, type TemplateResult } from "lit";

/** Characters that are coloured; what follows is plain, since each value is an element of its own. */
const MOST_COLOURED = 100_000;

/** A string, which may be cut off, with the colon behind it where it is a name, or a number, or a word. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** ECMAScript's proposal for exact numbers; the browser of every editor has it that the panel runs in, and TypeScript's library does not. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** JSON on lines of its own. Throws what JSON.parse does. Numbers stay as they are written: an ID may have more digits than a number keeps. */
export const spaced = (json: string): string => JSON.stringify(JSON.parse(json, asWritten as Parameters<typeof JSON.parse>[1]), null, 2);

const asWritten = (_name: string, value: unknown, { source }: { readonly source: string }): unknown =>
  typeof value === "number" ? rawJSON(source) : value;

/** `text` is well-formed JSON, or the beginning of such. */
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
