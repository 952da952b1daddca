// The form: account first, then the parameters by their types, the optional ones folded away.
import { html, nothing, type TemplateResult } from "lit";
import type { ParameterDefinition } from "../../protocol/panel.ts";
import type { Actions } from "./main.ts";
import type { PanelState } from "./state.ts";

export function formView(state: PanelState, actions: Actions): TemplateResult {
  const parameters = state.runnable?.definition.parameters ?? [];
  const optional = parameters.filter((parameter) => parameter.optional);
  return html`<form
    @submit=${(event: Event) => {
      event.preventDefault();
      actions.run();
    }}
  >
    <header>
      <h1>${state.title}</h1>
      ${state.running ? html`<progress aria-label="Running"></progress>` : nothing}
      <vscode-button data-testid="run" ?disabled=${state.running} @click=${actions.run} title="Run (Ctrl+Enter)">Run</vscode-button>
      <vscode-button data-testid="cancel" secondary ?disabled=${!state.running} @click=${actions.cancel}>Cancel</vscode-button>
    </header>
    ${state.runnable?.definition.description ? html`<p class="description">${state.runnable.definition.description}</p>` : nothing}
    ${accountField(state, actions)} ${parameters.filter((parameter) => !parameter.optional).map((parameter) => field(parameter, state, actions))}
    ${
      optional.length === 0
        ? nothing
        : html`<details>
            <summary>${optional.length} optional parameter${optional.length === 1 ? "" : "s"}</summary>
            ${optional.map((parameter) => field(parameter, state, actions))}
          </details>`
    }
  </form>`;
}

function accountField(state: PanelState, actions: Actions): TemplateResult | typeof nothing {
  if (state.accountRequirement === "none") return nothing;
  return html`<div class="field">
    <label for="account">Account${state.accountRequirement === "required" ? html`<span aria-hidden="true"> *</span>` : " (optional)"}</label>
    <select
      id="account"
      data-testid="account"
      ?required=${state.accountRequirement === "required"}
      @change=${(event: Event) => actions.setAccount((event.target as HTMLSelectElement).value)}
    >
      ${state.accounts.length === 0 || state.accountRequirement === "optional" ? html`<option value="">${state.accounts.length === 0 ? "No account connected" : "None"}</option>` : nothing}
      ${state.accounts.map(
        (account) =>
          html`<option value=${account.id} ?selected=${account.id === state.account}>
            ${account.label}${account.sandbox ? " (sandbox)" : ""}${account.state === "ready" ? "" : " — sign in again"}
          </option>`,
      )}
    </select>
    <vscode-button secondary data-testid="connect" @click=${actions.connect}>Connect</vscode-button>
  </div>`;
}

function field(parameter: ParameterDefinition, state: PanelState, actions: Actions): TemplateResult {
  const id = `param-${parameter.name}`;
  const value = state.values[parameter.name] ?? "";
  const problem = state.problems[parameter.name];
  const change = (event: Event): void => actions.setValue(parameter.name, (event.target as HTMLInputElement).value);
  return html`<div class="field">
    <label for=${id}>${parameter.name}${parameter.optional ? nothing : html`<span aria-hidden="true"> *</span>`}</label>
    ${
      parameter.kind === "boolean" && parameter.shape === "scalar"
        ? html`<select id=${id} data-testid=${id} aria-describedby="${id}-help" @change=${change}>
            ${["", "true", "false"].map((option) => html`<option value=${option} ?selected=${option === value}>${option}</option>`)}
          </select>`
        : html`<input
            id=${id}
            data-testid=${id}
            .value=${value}
            type=${parameter.shape === "scalar" && parameter.kind === "date" ? "datetime-local" : "text"}
            inputmode=${parameter.kind === "number" && parameter.shape === "scalar" ? "decimal" : "text"}
            aria-required=${parameter.optional ? "false" : "true"}
            aria-invalid=${problem === undefined ? "false" : "true"}
            aria-describedby="${id}-help"
            @input=${change}
          />`
    }
    <span id="${id}-help" class=${problem === undefined ? "help" : "problem"}>${problem ?? `${parameter.description}${parameter.shape === "scalar" ? "" : " (a list: a, b, c)"}`}</span>
  </div>`;
}
