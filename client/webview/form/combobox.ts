// A text field with a list of suggestions (WAI-ARIA, combobox with list autocomplete). It requests the list while the person types, and
// accepts any other text too.
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Choice } from "../../../protocol/panel.ts";
import { LightElement } from "../light-element.ts";
import type { Choices } from "../state.ts";

/** Milliseconds between the last key and the request for the list. */
const PAUSE = 200;

/** `<pack-auth-combobox>`. Events: `value` (detail: the text) at every change, `search` (detail: the text) to request the list. */
class Combobox extends LightElement {
  @property() fieldId!: string;
  @property() value = "";
  @property({ attribute: false }) choices: Choices | undefined;
  @property({ type: Boolean }) invalid = false;
  @property({ type: Boolean }) required = false;
  @state() private open = false;
  @state() private active = -1;
  private timer: number | undefined;

  override disconnectedCallback(): void {
    clearTimeout(this.timer);
    super.disconnectedCallback();
  }

  private get list(): readonly Choice[] {
    // Previous choices stay during a search, so that a key in between is not lost.
    return this.choices?.choices ?? [];
  }

  private send(name: "value" | "search", detail: string): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private typed = (event: Event): void => {
    this.value = (event.target as HTMLInputElement).value;
    this.send("value", this.value);
    this.show(PAUSE);
  };

  private show(after = 0): void {
    this.open = true;
    this.active = -1;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.send("search", this.value), after);
  }

  private pick(choice: Choice): void {
    this.value = choice.value;
    this.open = false;
    this.send("value", choice.value);
  }

  private pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.open) {
      this.open = false;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (this.open) this.move(event.key === "ArrowDown" ? 1 : -1);
      else this.show();
    } else if (event.key === "Enter" && this.open && this.list[this.active] !== undefined) {
      this.pick(this.list[this.active] as Choice);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  private move(step: 1 | -1): void {
    const count = this.list.length;
    if (count === 0) return;
    this.active = this.active < 0 && step < 0 ? count - 1 : (this.active + step + count) % count;
    this.updateComplete.then(
      () => this.querySelector(`[id="${this.fieldId}-choice-${this.active}"]`)?.scrollIntoView({ block: "nearest" }),
      () => {},
    );
  }

  override render(): TemplateResult {
    const listId = `${this.fieldId}-choices`;
    return html`<input
        id=${this.fieldId}
        data-testid=${this.fieldId}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded=${this.open}
        aria-controls=${listId}
        aria-activedescendant=${this.open && this.active >= 0 ? `${this.fieldId}-choice-${this.active}` : nothing}
        aria-describedby="${this.fieldId}-help"
        aria-invalid=${this.invalid}
        aria-required=${this.required}
        .value=${this.value}
        @input=${this.typed}
        @keydown=${this.pressed}
        @click=${() => this.open || this.show()}
        @blur=${() => {
          this.open = false;
        }}
      />
      <div id=${listId} role="listbox" aria-label=${"Suggestions"} ?hidden=${!this.open || this.list.length === 0}>
        ${this.list.map(
          (choice, index) =>
            html`<div
              role="option"
              id="${this.fieldId}-choice-${index}"
              data-testid="choice"
              aria-selected=${index === this.active}
              @mousedown=${(event: Event) => {
                event.preventDefault();
                this.pick(choice);
              }}
            >
              ${choice.display}${choice.display === choice.value ? nothing : html` <span class="help">${choice.value}</span>`}
            </div>`,
        )}
      </div>
      <span class="hint" role="status">${this.open ? this.statusText() : nothing}</span>`;
  }

  private statusText(): string | typeof nothing {
    if (this.choices === undefined || this.choices.state === "loading") return "Looking…";
    if (this.choices.problem !== undefined) return this.choices.problem;
    return this.list.length === 0 ? "No suggestions. You can enter any text." : nothing;
  }
}

customElements.define("pack-auth-combobox", Combobox);
