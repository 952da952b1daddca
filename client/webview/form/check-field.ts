// A check box among the form's values.
import { html, type TemplateResult } from "lit";
import type { FormValues } from "../../../protocol/panel.ts";
import type { Actions } from "../actions.ts";

export const checkField = (id: string, key: string, label: string, values: FormValues, actions: Actions): TemplateResult =>
  html`<label class="check">
    <input type="checkbox" data-testid=${id} .checked=${values[key] === "true"} @change=${(event: Event) => actions.setValue(key, (event.target as HTMLInputElement).checked ? "true" : "")} />
    ${label}
  </label>`;
