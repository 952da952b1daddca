// One field of the form, by the parameter's type, with its description and what is wrong with it.
import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "./actions.ts";
import "./combobox.ts";
import type { Field } from "./parameters.ts";
import type { PanelState } from "./state.ts";

export const fieldId = (key: string): string => `param-${key}`;

const KINDS: Readonly<Record<string, string>> = {
  html: "HTML",
  image: "URL of an image",
  file: "URL of a file",
  markdown: "Markdown",
  email: "e-mail address",
};

export function fieldView({ key, label, parameter }: Field, state: PanelState, actions: Actions): TemplateResult {
  const id = fieldId(key);
  const problem = state.problems[key];
  const kind = KINDS[parameter.kind];
  const notes = [parameter.description, kind, parameter.shape === "scalar" ? undefined : 'a list: a, b, c or ["a", "b"]'].filter(Boolean);
  return html`<div class="field">
    <label for=${id}>${label}${parameter.optional ? nothing : html`<span aria-hidden="true"> *</span>`}</label>
    ${control({ key, label, parameter }, state, actions)}
    <span id="${id}-help" class=${problem === undefined ? "help" : "problem"}>${problem ?? notes.join(" · ")}</span>
  </div>`;
}

function control({ key, parameter }: Field, state: PanelState, actions: Actions): TemplateResult {
  const id = fieldId(key);
  const value = state.values[key] ?? "";
  const invalid = state.problems[key] !== undefined;
  const change = (event: Event): void => actions.setValue(key, (event.target as HTMLInputElement).value);
  if (parameter.hasAutocomplete)
    return html`<pack-auth-combobox
      .fieldId=${id}
      .value=${value}
      .choices=${state.choices[key]}
      .describedBy=${`${id}-help`}
      ?invalid=${invalid}
      ?required=${!parameter.optional}
      @value=${(event: CustomEvent<string>) => actions.setValue(key, event.detail)}
      @search=${(event: CustomEvent<string>) => actions.askChoices(key, parameter.name, event.detail)}
    ></pack-auth-combobox>`;
  if (parameter.shape === "scalar" && parameter.kind === "boolean")
    return html`<select id=${id} data-testid=${id} aria-describedby="${id}-help" aria-invalid=${invalid} @change=${change}>
      ${["", "true", "false"].map((option) => html`<option value=${option} ?selected=${option === value}>${option}</option>`)}
    </select>`;
  if (parameter.shape === "scalar" && (parameter.kind === "html" || parameter.kind === "markdown"))
    return html`<textarea id=${id} data-testid=${id} rows="3" aria-describedby="${id}-help" aria-invalid=${invalid} .value=${value} @input=${change}></textarea>`;
  return html`<input
    id=${id}
    data-testid=${id}
    .value=${value}
    type=${parameter.shape === "scalar" && parameter.kind === "date" && (value === "" || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) ? "datetime-local" : "text"}
    inputmode=${parameter.kind === "number" && parameter.shape === "scalar" ? "decimal" : "text"}
    aria-required=${!parameter.optional}
    aria-invalid=${invalid}
    aria-describedby="${id}-help"
    @input=${change}
  />`;
}
