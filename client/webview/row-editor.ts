// A row of a two-way table as it is to be: what was changed in it goes to the pack's executeUpdate, as an edit in a document does.
import { html, LitElement, type TemplateResult } from "lit";
import type { RowUpdate } from "../../protocol/run.ts";
import { isRecord, type Row } from "./rows.ts";

/** `<pack-auth-row-editor>`. Event `send` (detail: RowUpdate) when a changed row is to be sent. */
class RowEditor extends LitElement {
  static override properties = { row: { attribute: false }, disabled: { type: Boolean }, text: { state: true }, problem: { state: true } };
  declare row: Row;
  declare disabled: boolean;
  /** Undefined: not open. */
  declare private text: string | undefined;
  declare private problem: string | undefined;

  constructor() {
    super();
    this.disabled = false;
    this.text = undefined;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("row") && changed.get("row") !== undefined) this.text = undefined;
  }

  private send(): void {
    const update = readUpdate(this.row, this.text ?? "");
    this.problem = typeof update === "string" ? update : undefined;
    if (typeof update !== "string") this.dispatchEvent(new CustomEvent<RowUpdate>("send", { detail: update }));
  }

  override render(): TemplateResult {
    if (this.text === undefined)
      return html`<button type="button" class="text-button" data-testid="edit-row" @click=${() => {
        this.text = JSON.stringify(this.row, null, 2);
        this.problem = undefined;
      }}>Edit this row</button>`;
    return html`<label class="row-editor">
        The row as it is to be
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
      <p id="row-text-help" class=${this.problem === undefined ? "help" : "problem"}>${this.problem ?? "What you change goes to the pack's executeUpdate, with the account that is picked: it changes data there."}</p>
      <vscode-button data-testid="send-row" class=${this.disabled ? "idle" : ""} aria-disabled=${this.disabled} @click=${() => this.disabled || this.send()}>Update</vscode-button>
      <vscode-button secondary @click=${() => {
        this.text = undefined;
      }}>Discard</vscode-button>`;
  }
}

/** The update, or what is wrong with the text. */
function readUpdate(previousValue: Row, text: string): RowUpdate | string {
  let newValue: unknown;
  try {
    newValue = JSON.parse(text);
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
  if (!isRecord(newValue)) return "A row is wanted: { … }.";
  const row = newValue;
  const names = new Set([...Object.keys(previousValue), ...Object.keys(row)]);
  const updatedFields = [...names].filter((name) => JSON.stringify(previousValue[name]) !== JSON.stringify(row[name]));
  return updatedFields.length === 0 ? "Nothing was changed." : { previousValue, newValue: row, updatedFields };
}

customElements.define("pack-auth-row-editor", RowEditor);
