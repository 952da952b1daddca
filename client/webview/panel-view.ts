// Renders the whole panel from its state: the form, the result, and above them the problems of the pack.
import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type TemplateResult } from "lit";
import type { ErrorReport } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";
import "./clock.ts";
import { errorView } from "./error.ts";
import { formView } from "./form/form.ts";
import { historyView, STATUS } from "./history.ts";
import { afterUploadView, consoleView } from "./notes.ts";
import { echoesView } from "./requests/echoes.ts";
import { requestsView } from "./requests/requests.ts";
import { resultView } from "./result/result.ts";
import { countOfRows } from "./result/rows.ts";
import type { RunClock } from "./run-clock.ts";
import { type PanelState, progressOf, type Tab } from "./state.ts";
import { tabList } from "./tabs.ts";

/** `waited` returns how long a person waited for a report. */
export function panelView(state: PanelState, actions: Actions, waited: RunClock["waited"]): TemplateResult {
  const { phase, title, error } = state;
  if (phase === "loading") return html`<h1>${title}</h1><p role="status">${"Building the pack…"}</p>`;
  const broken = error === undefined ? nothing : brokenView(error, actions);
  if (phase === "unavailable" && error !== undefined) return html`<h1>${title}</h1>${broken}`;
  return html`${broken}
    <div class="columns">
      ${formView(state, actions)}
      <div class="outcome">${tabsView(state, actions, waited)}</div>
    </div>`;
}

interface TabOfPanel {
  readonly id: Tab;
  readonly name: string;
  /** The number beside the name; hidden if it is zero. */
  readonly count?: number;
  body(): TemplateResult;
}

const tabsOf = (state: PanelState, actions: Actions): readonly TabOfPanel[] => [
  {
    id: "result",
    name: "Result",
    body: () => html`${echoesView(state, actions)}${resultView(state, actions)}`,
  },
  { id: "requests", name: "Requests", count: state.requests.length, body: () => requestsView(state, actions) },
  { id: "console", name: "Console", count: state.console.length, body: () => consoleView(state) },
  {
    id: "afterUpload",
    name: "After upload",
    count: state.report?.platformDifferences.length ?? 0,
    body: () => afterUploadView(state, actions),
  },
  { id: "history", name: "History", count: state.history.length, body: () => historyView(state, actions) },
];

function tabsView(state: PanelState, actions: Actions, waited: RunClock["waited"]): TemplateResult {
  const tabs = tabsOf(state, actions);
  return html`<div class="tabs">
      ${tabList({
        label: "What the run did",
        kind: "tab",
        tabs: tabs.map(({ id, name, count }) => ({ id, name, ...(count ? { mark: html` <span class="count">${count}</span>` } : {}) })),
        selected: state.tab,
        controls: "tabpanel",
        select: actions.setTab,
      })}
      <span class="summary">
        <span role="status" data-testid="status" title=${state.report === undefined || state.running ? nothing : TIMES}>${summary(state, waited)}</span>
        ${state.running ? html`<pack-auth-clock data-testid="time" ?paused=${state.paused}></pack-auth-clock>` : nothing}
      </span>
    </div>
    <section role="tabpanel" id="tabpanel" aria-labelledby="tab-${state.tab}" tabindex="0">${tabs.find((tab) => tab.id === state.tab)?.body() ?? nothing}</section>`;
}

const TIMES = "The first time is how long you waited, the second is the run itself. Pauses of the debugger do not count.";

function summary(state: PanelState, waited: RunClock["waited"]): string {
  if (state.running) return progressOf(state);
  const { report, startPrompt } = state;
  if (startPrompt !== undefined) return startPrompt;
  if (report === undefined) return "";
  const { outcome } = report;
  const rows = "rows" in outcome && outcome.rows !== undefined ? ` · ${countOfRows(outcome.rows)}` : "";
  const past = state.recalled === undefined ? "" : `Run of ${new Date(report.startedAt).toLocaleString()} · `;
  const wait = waited(report);
  return `${past}${STATUS[outcome.status]}${rows} · ${wait === undefined ? "" : `${wait} ms, `}engine ${report.duration} ms`;
}

/** Shows the problem above the form and the last result, which stay. The host tries again when a file changes. */
function brokenView(error: ErrorReport, actions: Actions): TemplateResult {
  return html`<div class="broken" data-testid="broken">
    ${errorView(error, actions)}
    <vscode-button secondary @click=${() => actions.post({ type: "ready" })}>${"Try again"}</vscode-button>
  </div>`;
}
