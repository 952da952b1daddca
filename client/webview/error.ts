// An error as people read it: what happened, what to do, and links to where it comes from.
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ErrorReport } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";
import { iconView } from "./icons.ts";
import { remediesView } from "./remedies.ts";

const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** The name of an error that the pack threw, where it says more than the message; codes of our own say the same in other words. */
const nameOf = ({ code, userVisible }: ErrorReport): string | undefined =>
  userVisible || code === "Error" || /^[a-z0-9-]+$/.test(code) ? undefined : code;

export function errorView(error: ErrorReport, actions: Actions): TemplateResult {
  const { configPath, hint, message, stack = [] } = error;
  const name = nameOf(error);
  return html`<div class="banner" role="alert" data-testid="error">
    ${iconView("error")}
    <div>
      <p class="what">${name === undefined ? nothing : html`<strong>${name}: </strong>`}${message}</p>
      ${hint === undefined ? nothing : html`<p>${hint}</p>`}
      ${remediesView(error.remedies, actions)}
      ${configPath === undefined ? nothing : html`<p><button type="button" class="link" @click=${() => actions.post({ type: "openConfiguration", configPath })}>${t`Open ${configPath}`}</button></p>`}
      ${
        stack.length === 0
          ? nothing
          : html`<ul class="stack" aria-label=${t`Where it was thrown`}>
              ${stack.map(({ location, text }) => (location === undefined ? html`<li>${text}</li>` : html`<li><button type="button" class="link" data-testid="frame" title=${location.path} @click=${() => actions.post({ type: "open", location })}>${text.replace(location.path, fileName(location.path))}</button></li>`))}
            </ul>`
      }
    </div>
  </div>`;
}
