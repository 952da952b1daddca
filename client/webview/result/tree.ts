// A value as a tree. The members of an object are rendered when it is expanded, so that a value of any size opens at once.
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { LightElement } from "../light-element.ts";
import { cellText, isDate } from "./rows.ts";

/** The number of members per step; a button shows more. */
const PORTION = 200;

export function treeView(name: string | undefined, value: unknown, open: boolean): TemplateResult {
  if (value === null || typeof value !== "object" || isDate(value)) {
    const kind = value === null ? "null" : isDate(value) ? "date" : typeof value;
    const text = isDate(value) ? cellText(value) : (JSON.stringify(value) ?? "undefined");
    return html`<div class="leaf">${label(name)}<span class=${kind}>${text}</span></div>`;
  }
  return html`<pack-auth-tree .name=${name} .value=${value} ?open=${open}></pack-auth-tree>`;
}

const label = (name: string | undefined): TemplateResult | typeof nothing =>
  name === undefined ? nothing : html`<span class="key">${name}: </span>`;

/** `<pack-auth-tree>`: one object or array. */
class Tree extends LightElement {
  @property() name: string | undefined;
  @property({ attribute: false }) value!: object;
  @property({ type: Boolean }) open = false;
  @state() private shownCount = PORTION;

  override render(): TemplateResult {
    const entries = Object.entries(this.value);
    const brief = Array.isArray(this.value) ? `[${entries.length}]` : `{${entries.length}}`;
    return html`<details
      ?open=${this.open}
      @toggle=${(event: Event) => {
        event.stopPropagation();
        this.open = (event.currentTarget as HTMLDetailsElement).open;
      }}
    >
      <summary>${label(this.name)}${brief}</summary>
      ${this.open ? entries.slice(0, this.shownCount).map(([key, item]) => treeView(key, item, false)) : nothing}
      ${
        this.open && entries.length > this.shownCount
          ? html`<button
              type="button"
              class="link"
              @click=${() => {
                this.shownCount += PORTION;
              }}
            >
              ${`Show more (${entries.length - this.shownCount} left)`}
            </button>`
          : nothing
      }
    </details>`;
  }
}

customElements.define("pack-auth-tree", Tree);
