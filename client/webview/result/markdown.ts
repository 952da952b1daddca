// Renders Markdown as text with emphasis: bold, italic, strikethrough, code, headings, lists and quotes. Everything else stays as written.
// Invariant: it comes from outside, so nothing of it becomes markup but these few elements with texts in them; a link shows where it leads.
import { html, type TemplateResult } from "lit";
import { webUrl } from "./schema.ts";

type LinkView = (url: string) => TemplateResult;

/** The most characters of a text on one line, and of a whole text. */
const MOST_IN_LINE = 1_000;
const MOST = 100_000;

/** `isLine`: the text is in a table cell, which has one line. */
export function markdownView(text: string, isLine: boolean, linkView: LinkView): unknown {
  if (isLine)
    return inline(
      text
        .slice(0, MOST_IN_LINE)
        .replace(/^[ \t]*(?:#{1,6}|>)[ \t]+/gm, "")
        .replace(/^[ \t]*[-*+][ \t]+/gm, "• ")
        .replace(/\s+/g, " ")
        .trim(),
      linkView,
    );
  let isCode = false;
  return html`<div class="markdown">${text
    .slice(0, MOST)
    .split(/\r?\n/)
    .map((line) => {
      if (/^\s*```/.test(line)) {
        isCode = !isCode;
        return "";
      }
      return html`<div>${isCode ? html`<code>${line}</code>` : block(line, linkView)}</div>`;
    })}</div>`;
}

function block(line: string, linkView: LinkView): unknown {
  const [begins = "", mark = ""] = /^[ \t]*(#{1,6}|>|[-*+])[ \t]/.exec(line) ?? [];
  if (mark === "") return inline(line, linkView);
  const rest = line.slice(begins.length).trimStart();
  if (mark.startsWith("#")) return html`<strong>${inline(rest, linkView)}</strong>`;
  return mark === ">" ? html`<span class="help">${inline(rest, linkView)}</span>` : html`• ${inline(rest, linkView)}`;
}

/** Each branch ends at the first character that cannot belong to it, so an unclosed mark costs a single scan. */
const EMPHASIS =
  /`([^`\n]+)`|\*{2,3}([^*\n]+)\*{2,3}|(?<![\p{L}\p{N}_])__([^_\n]+)__(?![\p{L}\p{N}_])|~~([^~\n]+)~~|\*([^*\s][^*\n]*)\*|(?<![\p{L}\p{N}_])_([^_\s][^_\n]*)_(?![\p{L}\p{N}_])|!?\[([^[\]\n]*)\]\(([^()\s]+)\)/gu;

function inline(text: string, linkView: LinkView): unknown[] {
  const parts: unknown[] = [];
  let end = 0;
  for (const match of text.matchAll(EMPHASIS)) {
    const [all, code, stars, underscores, struck, star, underscore, label = "", address] = match;
    const [bold, italic] = [stars ?? underscores, star ?? underscore];
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${inline(bold, linkView)}</strong>`);
    else if (struck !== undefined) parts.push(html`<s>${inline(struck, linkView)}</s>`);
    else if (italic !== undefined) parts.push(html`<em>${inline(italic, linkView)}</em>`);
    else {
      const url = webUrl(address);
      if (url === undefined) parts.push(all);
      else parts.push(label === "" || label === address ? linkView(url) : html`${label} (${linkView(url)})`);
    }
    end = match.index + all.length;
  }
  return [...parts, text.slice(end)];
}
