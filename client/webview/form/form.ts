// The form: account first, then the parameters by their types, the optional ones folded away; the run button stays in reach.
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions.ts";
import { iconButton } from "../icons.ts";
import { AS_ASSISTANT, DYNAMIC_URL, type PanelState, ROW_LIMIT } from "../state.ts";
import { accountField } from "./account-field.ts";
import { checkField } from "./check-field.ts";
import { fieldView } from "./field.ts";
import { fieldsOf, MOST_REPETITIONS, REPETITIONS, repeatedFields, repetitions } from "./parameters.ts";
import { toolField } from "./tool-field.ts";

const isMac = /Mac/.test(navigator.platform);

/** A button that can do nothing just now keeps the focus: whoever pressed it stays where they are. */
const buttonView = (id: string, name: string, title: string, isIdle: boolean, action: () => void): TemplateResult =>
  html`<vscode-button id=${id} class=${isIdle ? "idle" : ""} data-testid=${id} ?secondary=${id !== "run"} aria-disabled=${isIdle} title=${title} @click=${() => {
    if (!isIdle) action();
  }}>${name}</vscode-button>`;

export function formView(state: PanelState, actions: Actions): TemplateResult {
  const fields = state.runnable === undefined ? [] : fieldsOf(state.runnable, state.values);
  const optional = fields.filter(({ parameter }) => parameter.optional);
  // What has a value or a problem is not hidden.
  const shown = optional.some(({ key }) => state.problems[key] !== undefined || (state.values[key] ?? "") !== "");
  return html`<form
    @submit=${(event: Event) => {
      event.preventDefault();
      actions.run();
    }}
  >
    <header>
      <h1>${state.title}</h1>
      ${state.running ? html`<progress aria-label=${state.paused ? t`Paused` : t`Running`} value=${state.paused ? 0 : nothing}></progress>` : nothing}
      ${/* It keeps its room, so that nothing moves below the pointer. */ buttonView("cancel", t`Cancel`, t`Stop the run (Escape)`, !state.running, actions.cancel)}
      ${buttonView("run", t`Run`, t`Run (${isMac ? "⌘" : t`Ctrl+`}Enter)`, state.running, actions.run)}
      ${state.runnable?.kind === "mcpServer" ? nothing : buttonView("debug", t`Debug`, t`Run under the debugger`, state.running, actions.debug)}
      ${iconButton("keep-panel", "pin", t`Pin this panel: the next formula opens in another one`, () => actions.setKept(!state.isKept), { pressed: state.isKept })}
    </header>
    ${state.runnable?.definition.description ? html`<p class="description">${state.runnable.definition.description}</p>` : nothing}
    ${accountField(state, actions)} ${tableFields(state, actions)} ${toolField(state, actions)}
    ${fields.filter(({ parameter }) => !parameter.optional).map((field) => fieldView(field, state, actions))}
    ${
      optional.length === 0
        ? nothing
        : html`<details ?open=${shown}>
            <summary>${optional.length === 1 ? t`1 optional parameter` : t`${optional.length} optional parameters`}</summary>
            ${optional.map((field) => fieldView(field, state, actions))}
          </details>`
    }
    ${repeatedView(state, actions)}
    ${state.runnable === undefined || state.runnable.kind === "mcpServer" ? nothing : checkField("as-assistant", AS_ASSISTANT, t`Run as the assistant, and not as a document`, state.values, actions)}
    <label class="check">
      <input
        type="checkbox"
        data-testid="run-on-save"
        .checked=${state.runOnSave}
        @change=${(event: Event) => actions.setRunOnSave((event.target as HTMLInputElement).checked)}
      />
      ${t`Run again when a file of the pack changes`}
    </label>
    ${surveyButtons(state, actions)}
  </form>`;
}

/** What takes the form many times over. */
function surveyButtons({ runnable, accounts, accountRequirement, running }: PanelState, actions: Actions): TemplateResult | typeof nothing {
  if (runnable === undefined || runnable.kind === "mcpServer") return nothing;
  const hasSeveral = accountRequirement !== "none" && accounts.length > 1;
  const all = t`Runs with each account, and compares the results`;
  const bad = t`Runs in the sandbox with ten problems, such as expired tokens, refusals and broken answers`;
  return html`<div class="surveys">
    ${hasSeveral ? buttonView("all-accounts", t`Run with all accounts`, all, running, () => actions.survey("allAccounts")) : nothing}
    ${buttonView("save-test", t`Save as test`, t`Saves the requests and answers of this run as a test, without secrets`, running, actions.saveTest)}
    ${buttonView("drill", t`Drill`, bad, running, () => actions.survey("drill"))}
  </div>`;
}

/** A sync table's own: which of a dynamic one's tables, and how many rows. */
function tableFields(state: PanelState, actions: Actions): TemplateResult | typeof nothing {
  if (state.runnable?.kind !== "syncTable") return nothing;
  const { isDynamic } = state.runnable.definition;
  const problem = state.problems[DYNAMIC_URL];
  const limitProblem = state.problems[ROW_LIMIT];
  return html`${
    isDynamic
      ? html`<div class="field">
            <label for="dynamic-url">${t`Table`}<span aria-hidden="true"> *</span></label>
            <pack-auth-combobox
              .fieldId=${"dynamic-url"}
              .value=${state.values[DYNAMIC_URL] ?? ""}
              .choices=${state.choices[DYNAMIC_URL]}
              ?invalid=${problem !== undefined}
              required
              @value=${(event: CustomEvent<string>) => actions.setValue(DYNAMIC_URL, event.detail)}
              @search=${(event: CustomEvent<string>) => actions.askChoices(DYNAMIC_URL, undefined, event.detail)}
            ></pack-auth-combobox>
            <span id="dynamic-url-help" class=${problem === undefined ? "help" : "problem"}>${problem ?? t`Choose a table that the pack lists, or enter its dynamic URL`}</span>
          </div>`
      : nothing
  }
    <div class="field">
      <label for="row-limit">${t`Maximum rows`}</label>
      <input
        id="row-limit"
        data-testid="row-limit"
        inputmode="numeric"
        aria-invalid=${limitProblem !== undefined}
        aria-describedby="row-limit-help"
        .value=${state.values[ROW_LIMIT] ?? "1000"}
        @input=${(event: Event) => actions.setValue(ROW_LIMIT, (event.target as HTMLInputElement).value)}
      />
      <span id="row-limit-help" class=${limitProblem === undefined ? "help" : "problem"}>${limitProblem ?? t`1 to 10,000`}</span>
    </div>`;
}

/** The parameters that may be given as often as wanted, as a group each time. */
function repeatedView(state: PanelState, actions: Actions): TemplateResult | typeof nothing {
  const { runnable } = state;
  if (runnable === undefined || runnable.definition.varargParameters.length === 0) return nothing;
  const count = repetitions(state.values);
  const names = runnable.definition.varargParameters.map(({ name }) => name).join(t` and `);
  return html`<fieldset>
    <legend>${names} ${t`(can be repeated)`}</legend>
    ${Array.from({ length: count }, (_, index) => repeatedFields(runnable, index)).map((fields) => fields.map((field) => fieldView(field, state, actions)))}
    <vscode-button secondary data-testid="add" ?disabled=${count >= MOST_REPETITIONS} @click=${() => actions.setValue(REPETITIONS, String(count + 1))}>${t`Add`} ${names}</vscode-button>
    <vscode-button secondary data-testid="remove" ?disabled=${count === 0} @click=${() => actions.setValue(REPETITIONS, String(count - 1))}>${t`Remove the last`}</vscode-button>
  </fieldset>`;
}
