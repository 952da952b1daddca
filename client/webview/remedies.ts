// What can be done about an error at once, a button each: the host carries it out.
import { html, nothing, type TemplateResult } from "lit";
import type { Remedy } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";

export const remediesView = (remedies: readonly Remedy[] = [], actions: Actions): TemplateResult | typeof nothing =>
  remedies.length === 0
    ? nothing
    : html`<p>
        ${remedies.map((remedy) => html`<button type="button" class="text-button" data-testid="remedy" @click=${() => actions.applyRemedy(remedy)}>${remedy.label}</button>`)}
      </p>`;
