// One object: its members by name and value, each as long as it is.
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit";
import type { Actions } from "../actions.ts";
import { valueView } from "./rendered.ts";
import { cellText, type Row } from "./rows.ts";

/** `schema` is given where values are to be shown as what it says that they are. */
export const membersView = (value: Row, actions: Actions, schema?: unknown): TemplateResult =>
  html`<table class="members" data-testid="result-table" aria-label=${t`Result`}>
    <tbody>
      ${Object.entries(value).map(([name, member]) => html`<tr><th scope="row">${name}</th><td>${schema === undefined ? cellText(member) : valueView(member, schema, name, { actions, isLine: false })}</td></tr>`)}
    </tbody>
  </table>`;
