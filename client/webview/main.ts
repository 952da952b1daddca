// The panel in the browser: one state, one view of it, messages to and from the host.
import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, render, type TemplateResult } from "lit";
import type { FromPanel, ToPanel } from "../../protocol/panel.ts";
import type { SourceLocation } from "../../protocol/run.ts";
import { formView } from "./form.ts";
import "./panel.css";
import { collect } from "./parameters.ts";
import { requestsView } from "./requests.ts";
import { errorView, resultView } from "./result.ts";
import { INITIAL, type PanelState, type ResultView, receive, type Tab } from "./state.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void; getState(): unknown; setState(state: unknown): void };

export interface Actions {
  run(): void;
  cancel(): void;
  connect(): void;
  copy(text: string): void;
  open(location: SourceLocation): void;
  openResult(): void;
  setAccount(id: string): void;
  setValue(name: string, value: string): void;
  setTab(tab: Tab): void;
  setView(view: ResultView): void;
}

const vscode = acquireVsCodeApi();
const saved = vscode.getState() as { readonly values?: Record<string, string> } | undefined;
let state: PanelState = { ...INITIAL, values: saved?.values ?? {} };

function update(change: Partial<PanelState>): void {
  state = { ...state, ...change };
  draw();
}

const actions: Actions = {
  run() {
    if (state.runnable === undefined || state.running) return;
    const { parameters, problems } = collect(state.runnable, state.values);
    const missing = state.accountRequirement === "required" && !state.account;
    update({ problems, tab: "result" });
    const [first] = Object.keys(problems);
    if (first !== undefined) {
      document.getElementById(`param-${first}`)?.focus();
      return;
    }
    if (missing) return actions.connect();
    vscode.postMessage({ type: "run", parameters, values: state.values, ...(state.account ? { account: state.account } : {}) });
  },
  cancel: () => vscode.postMessage({ type: "cancel" }),
  connect: () => vscode.postMessage({ type: "connect" }),
  copy: (text) => vscode.postMessage({ type: "copy", text }),
  open: (location) => vscode.postMessage({ type: "open", location }),
  openResult: () => vscode.postMessage({ type: "openResult" }),
  setAccount: (account) => update({ account }),
  setValue(name, value) {
    const { [name]: _solved, ...problems } = state.problems;
    update({ values: { ...state.values, [name]: value }, problems });
    vscode.setState({ values: state.values });
  },
  setTab: (tab) => update({ tab }),
  setView: (view) => update({ view }),
};

const TABS: readonly { readonly id: Tab; readonly name: string; count(): number }[] = [
  { id: "result", name: "Result", count: () => 0 },
  { id: "requests", name: "Requests", count: () => state.requests.length },
  { id: "console", name: "Console", count: () => state.console.length },
  { id: "parity", name: "Parity", count: () => state.report?.parity.length ?? 0 },
];

/** Arrow keys move between tabs (WAI-ARIA, tabs pattern). */
function moveTab(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  const index = TABS.findIndex((tab) => tab.id === state.tab);
  const next = TABS[(index + step + TABS.length) % TABS.length];
  if (next === undefined) return;
  actions.setTab(next.id);
  document.getElementById(`tab-${next.id}`)?.focus();
}

function tabsView(): TemplateResult {
  return html`<div role="tablist" aria-label="What the run did" @keydown=${moveTab}>
      ${TABS.map(
        (tab) =>
          html`<button type="button" role="tab" id="tab-${tab.id}" data-testid="tab-${tab.id}" aria-selected=${state.tab === tab.id} aria-controls="tabpanel" tabindex=${state.tab === tab.id ? 0 : -1} @click=${() => actions.setTab(tab.id)}>
            ${tab.name}${tab.count() > 0 ? html` <span class="count">${tab.count()}</span>` : nothing}
          </button>`,
      )}
      <span role="status" class="summary" data-testid="status">${summary()}</span>
    </div>
    <section role="tabpanel" id="tabpanel" aria-labelledby="tab-${state.tab}" tabindex="0">${tabBody()}</section>`;
}

function tabBody(): TemplateResult {
  switch (state.tab) {
    case "result":
      return resultView(state, actions);
    case "requests":
      return requestsView(state.requests);
    case "console":
      return state.console.length === 0
        ? html`<p class="empty" data-testid="console">Nothing was logged.</p>`
        : html`<ul class="console" data-testid="console">${state.console.map((entry) => html`<li class=${entry.level}><time>${new Date(entry.time).toLocaleTimeString()}</time> ${entry.message}</li>`)}</ul>`;
    case "parity":
      return html`<ul>${state.report?.parity.map((note) => html`<li>${note.message}</li>`) ?? nothing}</ul>`;
  }
}

function summary(): string {
  if (state.running) return state.rows === undefined ? "Running…" : `Running… ${state.rows} rows`;
  const { report } = state;
  if (report === undefined) return "";
  const { outcome } = report;
  const rows = "rows" in outcome && outcome.rows !== undefined ? ` · ${outcome.rows} rows` : "";
  return `${outcome.status === "succeeded" ? "OK" : outcome.status === "failed" ? "Failed" : "Cancelled"}${rows} · ${report.duration} ms`;
}

function draw(): void {
  const root = document.getElementById("panel");
  if (root === null) return;
  const body =
    state.phase === "loading"
      ? html`<h1>${state.title}</h1><p role="status">Building the pack…</p>`
      : state.phase === "unavailable" && state.error !== undefined
        ? html`<h1>${state.title}</h1>${errorView(state.error, actions)}<vscode-button @click=${() => vscode.postMessage({ type: "ready" })}>Try again</vscode-button>`
        : html`${formView(state, actions)}${tabsView()}`;
  render(body, root);
}

window.addEventListener("message", (event: MessageEvent<ToPanel>) => {
  state = receive(state, event.data);
  draw();
});
window.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    actions.run();
  }
});
draw();
vscode.postMessage({ type: "ready" });
