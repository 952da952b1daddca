// An error as people read it: what happened, what to do, and links to where it comes from.
import { html, nothing, type TemplateResult } from "lit";
import type { ErrorReport } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";
import { remediesView } from "./remedies.ts";

const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

export function errorView(error: ErrorReport, actions: Actions): TemplateResult {
  const { configPath } = error;
  return html`<div class="error" role="alert" data-testid="error">
    <p><strong>${error.userVisible ? "" : `${error.code}: `}</strong>${error.message}</p>
    ${error.hint === undefined ? nothing : html`<p>${error.hint}</p>`}
    ${remediesView(error.remedies, actions)}
    ${configPath === undefined ? nothing : html`<p><button type="button" class="link" @click=${() => actions.openConfiguration(configPath)}>Open ${configPath}</button></p>`}
    ${
      error.stack === undefined || error.stack.length === 0
        ? nothing
        : html`<ul class="stack" aria-label="Where it was thrown">
            ${error.stack.map(({ location, text }) => (location === undefined ? html`<li>${text}</li>` : html`<li><button type="button" class="link" data-testid="frame" title=${location.path} @click=${() => actions.open(location)}>${text.replace(location.path, fileName(location.path))}</button></li>`))}
          </ul>`
    }
  </div>`;
}
