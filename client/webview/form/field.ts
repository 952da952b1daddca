// One field of the form for a parameter's type, with its description and its problem.
import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions.ts";
import "./combobox.ts";
import type { PanelState } from "../state.ts";
import { type Field, fieldId } from "./parameters.ts";

const EXAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  number: ["1", "2"],
  boolean: ["true", "false"],
  date: ["2026-12-01", "2026-12-31"],
  email: ["a@x.example", "b@x.example"],
  image: ["https://x.example/a.png", "https://x.example/b.png"],
  file: ["https://x.example/a.pdf", "https://x.example/b.pdf"],
};

const KINDS: Readonly<Record<string, string>> = {
  html: "HTML",
  image: "URL of an image",
  file: "URL of a file",
  markdown: "Markdown",
  email: "e-mail address",
  json: "JSON",
};

export function fieldView({ key, label, parameter }: Field, state: PanelState, actions: Actions): TemplateResult {
  const kind = KINDS[parameter.kind];
  const hints = [parameter.description, kind, parameter.shape === "scalar" ? undefined : listHelp(parameter)].filter(Boolean);
  const content = control({ key, label, parameter }, state, actions);
  return labelled(key, label, content, hints.join(" · "), { isRequired: !parameter.optional, problem: state.problems[key] });
}

interface MoreOfField {
  readonly isRequired?: boolean;
  readonly problem?: string | undefined;
  /** Content below the field. */
  readonly below?: unknown;
}

/** Renders a label and its control, and below it the help or the problem. */
export function labelled(key: string, label: string, content: TemplateResult, help: string, more: MoreOfField = {}): TemplateResult {
  const { isRequired = false, problem, below = nothing } = more;
  const id = fieldId(key);
  return html`<div class="field">
    <label for=${id}>${label}${isRequired ? html`<span aria-hidden="true"> *</span>` : nothing}</label>
    ${content}
    <span id="${id}-help" data-testid="${id}-help" class=${problem === undefined ? "help" : "problem"}>${problem ?? help}</span>
    ${below}
  </div>`;
}

/** A text field with the pack's suggestions: for a parameter, or for the table if there is no parameter. */
export const choicesControl = (key: string, isRequired: boolean, state: PanelState, actions: Actions, parameter?: string): TemplateResult =>
  html`<pack-auth-combobox
    .fieldId=${fieldId(key)}
    .value=${state.values[key] ?? ""}
    .choices=${state.choices[key]}
    ?invalid=${state.problems[key] !== undefined}
    ?required=${isRequired}
    @value=${(event: CustomEvent<string>) => actions.setValue(key, event.detail)}
    @search=${(event: CustomEvent<string>) => actions.askChoices(key, parameter, event.detail)}
  ></pack-auth-combobox>`;

/** Returns how to write an array of this kind. */
function listHelp({ kind, shape }: Field["parameter"]): string {
  const [a, b] = EXAMPLES[kind] ?? ["red", "blue"];
  const json = EXAMPLES[kind] === undefined ? ` or ["${a}", "${b}"]` : "";
  const blanks = shape === "sparseArray" ? `, with empty items: ${a}, , ${b}` : "";
  const range = kind === "date" ? ", or a range such as last_30_days" : "";
  return `Array: ${a}, ${b}${json}${blanks}${range}`;
}

function control({ key, label, parameter }: Field, state: PanelState, actions: Actions): TemplateResult {
  const id = fieldId(key);
  const value = state.values[key] ?? "";
  const invalid = state.problems[key] !== undefined;
  const change = (event: Event): void => actions.setValue(key, (event.target as HTMLInputElement).value);
  if (parameter.hasAutocomplete) return choicesControl(key, !parameter.optional, state, actions, parameter.name);
  const choices = parameter.choices ?? (parameter.kind === "boolean" ? ["true", "false"] : undefined);
  if (parameter.shape === "scalar" && choices !== undefined)
    return html`<select id=${id} data-testid=${id} aria-describedby="${id}-help" aria-invalid=${invalid} @change=${change}>
      ${["", ...choices].map((option) => html`<option value=${option} .selected=${option === value}>${option}</option>`)}
    </select>`;
  if (parameter.shape === "scalar" && (parameter.kind === "html" || parameter.kind === "markdown" || parameter.kind === "json"))
    return html`<textarea id=${id} data-testid=${id} rows="3" aria-describedby="${id}-help" aria-invalid=${invalid} .value=${value} @input=${change}></textarea>`;
  const isDay = parameter.shape === "scalar" && parameter.kind === "date";
  const isPicked = value === "" || DATE.test(value);
  if (isDay && isPicked && !state.datesAsText.includes(key)) return dateControl({ key, label, parameter }, value, invalid, actions);
  const text = html`<input
    id=${id}
    data-testid=${id}
    .value=${value}
    type="text"
    inputmode=${parameter.kind === "number" && parameter.shape === "scalar" ? "decimal" : "text"}
    aria-required=${!parameter.optional}
    aria-invalid=${invalid}
    aria-describedby="${id}-help"
    @input=${change}
  />`;
  // A date has the same template whatever the person types, so that the field keeps the focus.
  return isDay
    ? html`<span class="beside"><span class="part">${text}</span>${isPicked ? asTextButton(key, label, true, actions) : nothing}</span>`
    : text;
}

const asTextButton = (key: string, label: string, isText: boolean, actions: Actions): TemplateResult =>
  html`<button
    type="button"
    class="text-button"
    data-testid="${fieldId(key)}-as-text"
    aria-label=${isText ? `Pick ${label} in a calendar` : `Write ${label} as text, such as 1 December 2026 10:00 UTC`}
    @click=${() => actions.setDateAsText(key, !isText)}
  >${isText ? "Pick" : "Write"}</button>`;

/** Dates that the two pickers can show; any other date needs a text field. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?$/;

/** A day, with an optional time. */
function dateControl({ key, label, parameter }: Field, value: string, invalid: boolean, actions: Actions): TemplateResult {
  const id = fieldId(key);
  const [, day = "", time = ""] = DATE.exec(value) ?? [];
  // The time is removed with its day: a time alone is not a date, and a text field would replace the pickers.
  const change = (newDay: string, newTime: string): void =>
    actions.setValue(key, newDay === "" || newTime === "" ? newDay : `${newDay}T${newTime}`);
  const text = (event: Event): string => (event.target as HTMLInputElement).value;
  return html`<span class="beside">
    <input
      id=${id}
      data-testid=${id}
      class="part"
      type="date"
      max="9999-12-31"
      aria-required=${!parameter.optional}
      aria-invalid=${invalid}
      aria-describedby="${id}-help"
      .value=${day}
      @input=${(event: Event) => change(text(event), time)}
    />
    <input
      class="part"
      type="time"
      data-testid="${id}-time"
      aria-label=${`Time of ${label}. Empty means midnight.`}
      ?disabled=${day === ""}
      .value=${time}
      @input=${(event: Event) => change(day, text(event))}
    />
    ${asTextButton(key, label, false, actions)}
  </span>`;
}
