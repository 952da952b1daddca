// The form: the account first, then the parameters by type, with optional ones collapsed. The run button stays visible.
import { html, nothing, type TemplateResult } from "lit";
import { DEFAULT_ROWS, MOST_ROWS } from "../../../protocol/row-limits.ts";
import type { Actions } from "../actions.ts";
import { neighbour } from "../arrow-keys.ts";
import { iconButton } from "../icons.ts";
import { AS_ASSISTANT, DYNAMIC_URL, type PanelState, ROW_LIMIT } from "../state.ts";
import { accountField } from "./account-field.ts";
import { choicesControl, fieldView, labelled } from "./field.ts";
import { fieldsOf, repeatedFields } from "./parameters.ts";
import { MOST_REPETITIONS, REPETITIONS, repetitions } from "./repetitions.ts";
import { toolField } from "./tool-field.ts";

const isMac = /Mac/.test(navigator.platform);

/** A button that stays focusable while it is idle, so that the person who pressed it keeps the focus. */
const buttonView = (id: string, name: string, title: string, isIdle: boolean, action: () => void): TemplateResult =>
  html`<vscode-button id=${id} class=${isIdle ? "idle" : ""} data-testid=${id} ?secondary=${id !== "run"} aria-disabled=${isIdle} title=${title} @click=${() => {
    if (!isIdle) action();
  }}>${name}</vscode-button>`;

export function formView(state: PanelState, actions: Actions): TemplateResult {
  const fields = state.runnable === undefined ? [] : fieldsOf(state.runnable, state.values);
  const optional = fields.filter(({ parameter }) => parameter.optional);
  // Optional fields are expanded if one has a value or a problem.
  const isOpen = optional.some(({ key }) => state.problems[key] !== undefined || (state.values[key] ?? "") !== "");
  return html`<form
    @submit=${(event: Event) => {
      event.preventDefault();
      actions.run();
    }}
  >
    <header>
      <h1>${state.title}</h1>
      ${state.running ? html`<progress aria-label=${state.paused ? "Paused" : "Running"} value=${state.paused ? 0 : nothing}></progress>` : nothing}
      <span class="buttons">
        ${/* A hidden button keeps its room, so that nothing moves below the pointer. */ buttonView("cancel", "Cancel", "Stop the run (Escape)", !state.running, actions.cancel)}
        ${buttonView("run", "Run", `Run (${isMac ? "⌘" : "Ctrl+"}Enter)`, state.running, actions.run)}
        ${state.runnable?.kind === "mcpServer" ? nothing : buttonView("debug", "Debug", "Run under the debugger", state.running, actions.debug)}
        ${iconButton("keep-panel", "pin", "Pin this panel: the next formula opens in another one", () => actions.setPinned(!state.isPinned), { pressed: state.isPinned })}
      </span>
    </header>
    ${state.runnable?.definition.description ? html`<p class="description">${state.runnable.definition.description}</p>` : nothing}
    ${accountField(state, actions)} ${tableFields(state, actions)} ${toolField(state, actions)}
    ${fields.filter(({ parameter }) => !parameter.optional).map((field) => fieldView(field, state, actions))}
    ${
      optional.length === 0
        ? nothing
        : html`<details ?open=${isOpen}>
            <summary>${optional.length === 1 ? "1 optional parameter" : `${optional.length} optional parameters`}</summary>
            ${optional.map((field) => fieldView(field, state, actions))}
          </details>`
    }
    ${repeatedView(state, actions)}
    ${toolbarView(state, actions)}
  </form>`;
}

/** Options of a run, and the run that is saved as a test. */
function toolbarView(state: PanelState, actions: Actions): TemplateResult {
  const { runnable, running: isIdle, runOnSave, values } = state;
  const isServer = runnable === undefined || runnable.kind === "mcpServer";
  const asAssistant = values[AS_ASSISTANT] === "true";
  const test = "Saves the requests and answers of this run as a test, without secrets";
  return html`<div class="toolbar" role="toolbar" aria-label=${"Options and further runs"} @keydown=${alongToolbar}>
    ${isServer ? nothing : iconButton("as-assistant", "assistant", "Run as the assistant, and not as a document", () => actions.setValue(AS_ASSISTANT, asAssistant ? "" : "true"), { pressed: asAssistant })}
    ${iconButton("run-on-save", "again", "Run again when a file of the pack changes", () => actions.setRunOnSave(!runOnSave), { pressed: runOnSave })}
    ${isServer ? nothing : iconButton("save-test", "test", "Save as test", actions.saveTest, { help: test, isIdle })}
  </div>`;
}

function alongToolbar(event: KeyboardEvent): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
  const next = neighbour(buttons, buttons.indexOf(event.target as HTMLButtonElement), event.key);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** The fields of a sync table only: the table of a dynamic one, and the number of rows. */
function tableFields(state: PanelState, actions: Actions): TemplateResult | typeof nothing {
  if (state.runnable?.kind !== "syncTable") return nothing;
  const help = "Choose a table that the pack lists, or enter its dynamic URL";
  const problem = state.problems[DYNAMIC_URL];
  const limitProblem = state.problems[ROW_LIMIT];
  const limit = html`<input
    id="row-limit"
    data-testid="row-limit"
    inputmode="numeric"
    aria-invalid=${limitProblem !== undefined}
    aria-describedby="row-limit-help"
    .value=${state.values[ROW_LIMIT] ?? String(DEFAULT_ROWS)}
    @input=${(event: Event) => actions.setValue(ROW_LIMIT, (event.target as HTMLInputElement).value)}
  />`;
  return html`${
    state.runnable.definition.isDynamic
      ? labelled(DYNAMIC_URL, "Table", choicesControl(DYNAMIC_URL, true, state, actions), help, { isRequired: true, problem })
      : nothing
  }${labelled(ROW_LIMIT, "Maximum rows", limit, `1 to ${MOST_ROWS.toLocaleString("en")}`, { problem: limitProblem })}`;
}

/** The repeated parameters, one group for each repetition. */
function repeatedView(state: PanelState, actions: Actions): TemplateResult | typeof nothing {
  const { runnable } = state;
  if (runnable === undefined || runnable.definition.varargParameters.length === 0) return nothing;
  const count = repetitions(state.values);
  const names = runnable.definition.varargParameters.map(({ name }) => name).join(" and ");
  return html`<fieldset>
    <legend>${names} ${"(can be repeated)"}</legend>
    ${repeatedFields(runnable, state.values).map((field) => fieldView(field, state, actions))}
    <vscode-button secondary data-testid="add" ?disabled=${count >= MOST_REPETITIONS} @click=${actions.addRepetition}>${"Add"} ${names}</vscode-button>
    <vscode-button secondary data-testid="remove" ?disabled=${count === 0} @click=${() => actions.setValue(REPETITIONS, String(count - 1))}>${"Remove the last"}</vscode-button>
  </fieldset>`;
}
