// A yes or no in the form, also one that stands among the form's values.
import { html, type TemplateResult } from "lit";
import type { FormValues } from "../../../protocol/panel.ts";
import type { Actions } from "../actions.ts";

export const checkBox = (id: string, label: string, isOn: boolean, set: (isOn: boolean) => void): TemplateResult =>
  html`<label class="check">
    <input type="checkbox" data-testid=${id} .checked=${isOn} @change=${(event: Event) => set((event.target as HTMLInputElement).checked)} />
    ${label}
  </label>`;

export const checkField = (id: string, key: string, label: string, values: FormValues, actions: Actions): TemplateResult =>
  checkBox(id, label, values[key] === "true", (isOn) => actions.setValue(key, isOn ? "true" : ""));
