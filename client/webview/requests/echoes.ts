// Requests that the sandbox could not answer, shown at the request, and above the result or error that the echo caused.
import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type TemplateResult } from "lit";
import type { RequestTrace } from "../../../protocol/run.ts";
import type { Actions } from "../actions.ts";
import type { PanelState } from "../state.ts";

/** The most lines above a result: a run with one request per row may have hundreds. */
const MOST = 5;

/** Returns one line for each distinct request; nothing if all had answers. */
export function echoesView(state: PanelState, actions: Actions): TemplateResult | typeof nothing {
  const echoed = new Map(state.requests.flatMap((request) => (request.echoed === undefined ? [] : [[request.echoed.message, request]])));
  if (echoed.size === 0) return nothing;
  return html`<div class="echoes" data-testid="echoes">
    ${[...echoed.values()].slice(0, MOST).map((request) => echoView(request, state, actions))}
    ${echoed.size > MOST ? html`<p class="help">${`See Requests for ${echoed.size - MOST} more.`}</p>` : nothing}
  </div>`;
}

/**
 * Returns the line of one request; nothing if it was answered. During a run there are no buttons, because it still finds missing answers.
 */
export const echoView = ({ id, echoed }: RequestTrace, { running }: PanelState, actions: Actions): TemplateResult | typeof nothing => {
  if (echoed === undefined) return nothing;
  const add = (isShown: boolean) => () => actions.post({ type: "addAnswer", request: id, isShown });
  const edit = (label: string): TemplateResult =>
    html`<vscode-button secondary data-testid="add-answer" aria-label=${`${label} in sandbox.json: ${echoed.message}`} @click=${add(true)}>${label}</vscode-button>`;
  const save = html`<vscode-button secondary data-testid="save-answer" aria-label=${`Save to sandbox.json: ${echoed.message}`} @click=${add(false)}>${"Save to sandbox.json"}</vscode-button>`;
  return html`<p class="echo">
        ${echoed.message}
        ${running ? nothing : echoed.isSample === true ? [edit("Edit"), save] : edit("Add an answer")}
      </p>`;
};
