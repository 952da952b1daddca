// Renders values as their schema requires: links, images after a click, dates, amounts, Markdown with emphasis, HTML as text. A provider's
// response never becomes markup, and nothing is loaded before a person requests it.
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { isRecord } from "../../../base/is-record.ts";
import type { Actions } from "../actions.ts";
import { LightElement } from "../light-element.ts";
import { markdownView } from "./markdown.ts";
import { cellText } from "./rows.ts";
import { formatted, itemSchema, kindOf, memberSchema, webUrl } from "./schema.ts";
import { treeView } from "./tree.ts";

const IMAGES = new Set(["image", "imageAttachment"]);
const LINKS = new Set(["url", "embed", "attachment"]);

interface Place {
  readonly actions: Actions;
  /** Whether the place is a table cell, which has one line. */
  readonly isLine: boolean;
}

/** Renders a cell of a row. `schema` belongs to the row or to the array of rows; without a schema the cell is plain text. */
export function valueView(value: unknown, schema: unknown, column: string, place: Place): unknown {
  if (schema === undefined) return cellText(value);
  const row = itemSchema(schema);
  const own = memberSchema(row, column) ?? (isRecord(row) && row.type !== "object" ? row : undefined);
  return rendered(value, own, place);
}

function rendered(value: unknown, schema: unknown, place: Place): unknown {
  const { actions, isLine } = place;
  if (value === undefined || value === null) return nothing;
  if (Array.isArray(value))
    return !isLine && value.some(isRecord)
      ? treeView(undefined, value, false)
      : value.map((item, index) => html`${index === 0 ? nothing : ", "}${rendered(item, itemSchema(schema), place)}`);
  const kind = kindOf(schema);
  const text = formatted(value, kind);
  if (text !== undefined) return text;
  if (typeof value === "boolean") return html`<span role="img" aria-label=${value ? "yes" : "no"}>${value ? "☑" : "☐"}</span>`;
  if (kind.hint === "markdown" && typeof value === "string") return markdownView(value, isLine, (url) => linkView(url, actions));
  if (isRecord(value)) {
    const displayValue = kind.display === undefined ? undefined : value[kind.display];
    if (displayValue !== undefined) return rendered(displayValue, memberSchema(schema, kind.display ?? ""), place);
    return isLine ? cellText(value) : treeView(undefined, value, false);
  }
  const url = webUrl(value);
  if (url !== undefined && kind.hint !== undefined && IMAGES.has(kind.hint)) return html`<pack-auth-image .url=${url}></pack-auth-image>`;
  if (url !== undefined && (kind.hint === undefined || LINKS.has(kind.hint))) return linkView(url, actions);
  return cellText(value);
}

const linkView = (url: string, actions: Actions): TemplateResult =>
  html`<a
    href=${url}
    @click=${(event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      actions.post({ type: "openLink", url });
    }}
    >${url}</a
  >`;

/** The most characters of an address; a data URL may contain a whole image. */
const LONGEST_TITLE = 2_000;

/** `<pack-auth-image>`: loads its image only after a click, because a request shows the server that a person is looking. */
class Image extends LightElement {
  @property() url!: string;
  @property() label = "Show image";
  @state() private isShown = false;
  @state() private hasFailed = false;

  override render(): TemplateResult {
    if (this.hasFailed)
      return html`<span class="help" title=${this.url.slice(0, LONGEST_TITLE)}>${"The image could not be loaded."}</span>`;
    if (this.isShown)
      return html`<img src=${this.url} alt="" referrerpolicy="no-referrer" @error=${() => {
        this.hasFailed = true;
      }} />`;
    return html`<button
      type="button"
      class="link"
      title=${this.url.slice(0, LONGEST_TITLE)}
      @click=${(event: Event) => {
        event.stopPropagation();
        this.isShown = true;
      }}
    >
      ${this.label}
    </button>`;
  }
}

customElements.define("pack-auth-image", Image);
