// Edits a row of a two-way table. The changes go to the pack's executeUpdate, as an edit in a document does.
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { errorMessage } from "../../../base/error-message.ts";
import { isRecord } from "../../../base/is-record.ts";
import type { RowUpdate } from "../../../protocol/run.ts";
import { LightElement } from "../light-element.ts";
import { optionsField, type PanelState } from "../state.ts";
import { type OptionsQuestion, type PropertyWithOptions, withChoice } from "./row-options.ts";
import type { Row } from "./rows.ts";

/**
 * `<pack-auth-row-editor>`. Events: `send` (detail: RowUpdate) to send a changed row, `ask` (detail: OptionsQuestion) to request the
 * possible values of a property.
 */
class RowEditor extends LightElement {
  @property({ attribute: false }) row!: Row;
  /** The properties with options. */
  @property({ attribute: false }) properties: readonly PropertyWithOptions[] = [];
  @property({ attribute: false }) choices: PanelState["choices"] = {};
  @property({ type: Boolean }) disabled = false;
  /** The edited text; undefined while the editor is closed. */
  @state() private text: string | undefined;
  @state() private problem: string | undefined;
  /** The property whose options are shown; the first one by default. */
  @state() private chosen: string | undefined;
  @state() private search = "";

  protected override willUpdate(changedProperties: Map<string, unknown>): void {
    if (changedProperties.has("row") && changedProperties.get("row") !== undefined) this.text = undefined;
  }

  private send(): void {
    const update = readUpdate(this.row, this.text ?? "");
    this.problem = typeof update === "string" ? update : undefined;
    if (typeof update !== "string") this.dispatchEvent(new CustomEvent<RowUpdate>("send", { detail: update }));
  }

  private get offered(): PropertyWithOptions | undefined {
    return this.properties.find(({ name }) => name === this.chosen) ?? this.properties[0];
  }

  private readRow(): Row | undefined {
    const row = readRow(this.text ?? "");
    this.problem = typeof row === "string" ? row : undefined;
    return typeof row === "string" ? undefined : row;
  }

  private ask(): void {
    const row = this.readRow();
    if (row === undefined || this.offered === undefined) return;
    const detail = { property: this.offered.name, row, search: this.search };
    this.dispatchEvent(new CustomEvent<OptionsQuestion>("ask", { detail }));
  }

  private choose(value: string): void {
    const row = this.readRow();
    if (row !== undefined && this.offered !== undefined)
      this.text = JSON.stringify(withChoice(row, this.offered, JSON.parse(value)), null, 2);
  }

  private optionsView(): TemplateResult | typeof nothing {
    const { offered } = this;
    if (offered === undefined) return nothing;
    const optionChoices = this.choices[optionsField(offered.name)];
    return html`<div class="row-options">
      <label>${"Options for"}
        <select data-testid="options-of" @change=${(event: Event) => {
          this.chosen = (event.target as HTMLSelectElement).value;
          // The search text belonged to another property.
          this.search = "";
        }}>${this.properties.map(({ name }) => html`<option value=${name} .selected=${name === offered.name}>${name}</option>`)}</select>
      </label>
      <input type="search" data-testid="options-search" aria-label=${"Search the options"} placeholder=${"Search the options"} .value=${this.search}
        @input=${(event: Event) => {
          this.search = (event.target as HTMLInputElement).value;
        }}
        @keydown=${(event: KeyboardEvent) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && this.ask()} />
      <button type="button" class="text-button" data-testid="show-options" @click=${() => this.ask()}>${"Show"}</button>
      <span role="status">${optionChoices === undefined ? "" : optionChoices.state === "loading" ? "Looking…" : (optionChoices.problem ?? (optionChoices.choices.length === 0 ? "The pack returns no options." : ""))}</span>
      <span class="buttons">${(optionChoices?.choices ?? []).map(({ display, value }) => html`<button type="button" class="text-button" data-testid="option" @click=${() => this.choose(value)}>${display}</button>`)}</span>
    </div>`;
  }

  override render(): TemplateResult {
    if (this.text === undefined)
      return html`<button type="button" class="text-button" data-testid="edit-row" @click=${() => {
        this.text = JSON.stringify(this.row, null, 2);
        this.problem = undefined;
      }}>${"Edit this row"}</button>`;
    return html`<label class="row-editor">
        ${"New values of the row"}
        <textarea
          data-testid="row-text"
          rows=${Math.min(16, this.text.split("\n").length + 1)}
          aria-invalid=${this.problem !== undefined}
          aria-describedby="row-text-help"
          .value=${this.text}
          @input=${(event: Event) => {
            this.text = (event.target as HTMLTextAreaElement).value;
          }}
        ></textarea>
      </label>
      <p id="row-text-help" class=${this.problem === undefined ? "help" : "problem"}>${this.problem ?? "Update sends your changes to the pack's executeUpdate with the chosen account, and changes data there."}</p>
      ${this.optionsView()}
      <vscode-button data-testid="send-row" class=${this.disabled ? "idle" : ""} aria-disabled=${this.disabled} @click=${() => this.disabled || this.send()}>${"Update"}</vscode-button>
      <vscode-button secondary @click=${() => {
        this.text = undefined;
      }}>${"Discard"}</vscode-button>`;
  }
}

/** Returns the row, or a message about the problem in the text. */
function readRow(text: string): Row | string {
  try {
    const row: unknown = JSON.parse(text);
    return isRecord(row) ? row : "Enter a row as a JSON object: { … }.";
  } catch (error) {
    return `Enter valid JSON: ${errorMessage(error)}.`;
  }
}

/** Returns the update, or a message about the problem in the text. */
function readUpdate(previousValue: Row, text: string): RowUpdate | string {
  const row = readRow(text);
  if (typeof row === "string") return row;
  const names = new Set([...Object.keys(previousValue), ...Object.keys(row)]);
  const updatedFields = [...names].filter((name) => JSON.stringify(previousValue[name]) !== JSON.stringify(row[name]));
  return updatedFields.length === 0 ? "Change a value first. The row is unchanged." : { previousValue, newValue: row, updatedFields };
}

customElements.define("pack-auth-row-editor", RowEditor);
