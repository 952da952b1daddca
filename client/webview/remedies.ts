// What can be done about an error at once, a button each: the host carries it out.
import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type TemplateResult } from "lit";
import type { Remedy } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";

export const remediesView = (remedies: readonly Remedy[] = [], actions: Actions): TemplateResult | typeof nothing =>
  remedies.length === 0
    ? nothing
    : html`<p class="beside">
        ${remedies.map((remedy) => html`<vscode-button secondary data-testid="remedy" @click=${() => actions.post({ type: "remedy", remedy })}>${remedy.label}</vscode-button>`)}
      </p>`;
