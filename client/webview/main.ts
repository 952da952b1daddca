// The panel in the browser: one state, one view of it, messages to and from the host.
import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, render, type TemplateResult } from "lit";
import type { FormMemory, FromPanel, LeftForm, PanelMemory, RunMode, ToPanel } from "../../protocol/panel.ts";
import type { ErrorReport } from "../../protocol/run.ts";
import type { Actions } from "./actions.ts";
import { actsFor, emptyField, lacksAccount } from "./before-run.ts";
import { echoesView, remedyFor } from "./echoes.ts";
import { errorView } from "./error.ts";
import { fieldId } from "./field.ts";
import { formView, ROW_LIMIT } from "./form.ts";
import { historyView } from "./history.ts";
import "./clock.ts";
import { afterUploadView, consoleView } from "./notes.ts";
import "./panel.css";
import { formOf, keyOf, memoryOf } from "./memory.ts";
import { fieldTexts } from "./parameters.ts";
import { requestsView } from "./requests.ts";
import { resultView } from "./result.ts";
import { countOfRows } from "./rows.ts";
import { createRunClock } from "./run-clock.ts";
import { ACCOUNT, DYNAMIC_URL, INITIAL, optionsField, type PanelState, progressOf, receive, type Tab } from "./state.ts";
import { tabList } from "./tabs.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void; getState(): unknown; setState(state: unknown): void };

const vscode = acquireVsCodeApi();
let memory = vscode.getState() as PanelMemory | undefined;
let state: PanelState = { ...INITIAL, ...leftForm(memory), isKept: memory?.isKept === true };
/** The result that was shown before a reload of the window or another formula, until it was asked for. */
let shownBefore = memory?.shown;

function leftForm(form: FormMemory | undefined): Pick<PanelState, "values" | "runOnSave" | "account"> {
  return {
    values: form?.values ?? {},
    runOnSave: form?.runOnSave === true,
    ...(form?.account === undefined ? {} : { account: form.account }),
  };
}

/** The panel becomes another formula's, with the form as that was left. */
function change(target: PanelMemory["target"], left: LeftForm | undefined): void {
  remember();
  if (memory !== undefined) {
    const { target: before, isKept: _kept, others: _others, ...form } = memory;
    vscode.postMessage({ type: "left", target: before, form: { ...form, view: state.view } });
  }
  const form = left ?? formOf(memory, target);
  const { isKept, view } = state;
  state = { ...INITIAL, ...leftForm(form), isKept, view: left?.view ?? view };
  shownBefore = form?.shown;
  goOn = undefined;
}

function update(change: Partial<PanelState>): void {
  state = { ...state, ...change };
  schedule();
}

const clock = createRunClock();

let scheduled = false;
/** Messages that come in one burst are drawn once. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    draw();
    // In the same frame: the time was not known before.
    if (clock.drawn()) draw();
  });
}

function remember(): void {
  memory = memoryOf(state, memory, shownBefore);
  if (memory !== undefined) vscode.setState(memory);
}

/** What the form holds, or undefined where a field of its own is wrong: then that is shown and, where a person asked, gets the focus. */
function readForm(isAsked: boolean): Pick<FromPanel & { type: "run" }, "fields" | "values" | "account"> | undefined {
  if (state.runnable === undefined || state.running) return undefined;
  const lacksAccount = state.accountRequirement === "required" && !state.account;
  const found: Record<string, string> =
    lacksAccount && state.accounts.length > 0 ? { [ACCOUNT]: state.problems[ACCOUNT] ?? "Choose an account." } : {};
  if (state.runnable.kind === "syncTable") {
    if (rowLimit() === undefined) found[ROW_LIMIT] = "A number from 1 to 10,000 is wanted.";
    if (state.runnable.definition.isDynamic && !state.values[DYNAMIC_URL]?.trim()) found[DYNAMIC_URL] = "A table is required.";
  }
  showProblems(found, isAsked);
  if (Object.keys(found).length > 0) return undefined;
  const { runnable, values, account } = state;
  return { fields: fieldTexts(runnable, values), values, ...(account ? { account } : {}) };
}

function showProblems(problems: Readonly<Record<string, string>>, isAsked: boolean): void {
  update({ problems });
  draw();
  const [first] = Object.keys(problems);
  if (first !== undefined && isAsked) focusField(first);
}

/** The elements of the fields that are no parameters. */
const OWN_FIELDS: Readonly<Record<string, string>> = { [ACCOUNT]: "account", [ROW_LIMIT]: "row-limit", [DYNAMIC_URL]: "dynamic-url" };

function focusField(key: string): void {
  draw();
  document.getElementById(OWN_FIELDS[key] ?? fieldId(key))?.focus();
}

function rowLimit(): number | undefined {
  const limit = Number(state.values[ROW_LIMIT] ?? "1000");
  return Number.isInteger(limit) && limit >= 1 && limit <= 10_000 ? limit : undefined;
}

/** `isAsked`: by a person, and not by a file that was saved. */
function start(type: RunMode, isAsked: boolean, more: Pick<FromPanel & { type: "run" }, "update" | "sinceShown"> = {}): void {
  if (!state.running) clock.begin();
  goOn = undefined;
  const form = readForm(isAsked);
  if (form === undefined) return;
  if (lacksAccount(state)) {
    if (isAsked) connectFirst(() => start(type, true, more));
    return;
  }
  const limit = rowLimit();
  const dynamicUrl = state.values[DYNAMIC_URL]?.trim();
  const table =
    state.runnable?.kind === "syncTable" && limit !== undefined ? { rowLimit: limit, ...(dynamicUrl ? { dynamicUrl } : {}) } : {};
  if (state.tab === "history") update({ tab: "result" });
  isLastAsked = isAsked;
  vscode.postMessage({ type, ...form, ...table, ...more });
}

/** Whether a person asked for the last run: what is wrong in the form gets the focus then. */
let isLastAsked = false;

/** What waits for the account that is being connected. */
let goOn: (() => void) | undefined;

function connectFirst(then: () => void): void {
  actions.connect("user");
  goOn = then;
}

/** By a lens or the palette: begins where the form can be run as it is, else it waits for the author at the place that needs them. */
function startNow(how: RunMode): void {
  if (state.running) return;
  const empty = emptyField(state);
  const label = actsFor(state);
  if (empty !== undefined) focusField(empty);
  // Whom it acts for is known when that is connected.
  else if (lacksAccount(state)) connectFirst(() => startNow(how));
  else if (label === undefined) start(how, true);
  else {
    update({ held: `Press Run to start this action with the real account ${label}.` });
    draw();
    document.getElementById("run")?.focus();
  }
}

/** Asks the host what a field may hold; what was found before stays until the answer comes. */
function ask(field: string, search: string, more: Pick<FromPanel & { type: "choices" }, "parameter" | "property">): void {
  if (state.runnable === undefined) return;
  update({ choices: { ...state.choices, [field]: { search, state: "asked", choices: state.choices[field]?.choices ?? [] } } });
  const account = state.account ? { account: state.account } : {};
  vscode.postMessage({ type: "choices", field, search, fields: fieldTexts(state.runnable, state.values), ...more, ...account });
}

const actions: Actions = {
  run: () => start("run", true),
  debug: () => start("debug", true),
  update: (row) => start("run", true, { update: row }),
  readNew: () => start("run", true, { sinceShown: true }),
  cancel: () => vscode.postMessage({ type: "cancel" }),
  connect(scope, account) {
    goOn = undefined;
    vscode.postMessage({ type: "connect", scope, ...(account === undefined ? {} : { account }) });
  },
  copy: (text, what) => vscode.postMessage({ type: "copy", text, what }),
  save: (name, text) => vscode.postMessage({ type: "save", name, text }),
  open: (location) => vscode.postMessage({ type: "open", location }),
  openLink: (url) => vscode.postMessage({ type: "openLink", url }),
  openConfiguration: (configPath) => vscode.postMessage({ type: "openConfiguration", configPath }),
  openResult: () => vscode.postMessage({ type: "openResult" }),
  applyRemedy: (remedy) => vscode.postMessage({ type: "remedy", remedy }),
  addAnswer: (request) => vscode.postMessage({ type: "addAnswer", request }),
  setAccount(account) {
    const { held: _held, ...rest } = state;
    const { [ACCOUNT]: _solved, ...problems } = rest.problems;
    state = { ...rest, account, problems, choices: {} };
    schedule();
    remember();
  },
  setValue(key, value) {
    const { [key]: _solved, ...problems } = state.problems;
    update({ values: { ...state.values, [key]: value }, problems });
    remember();
  },
  setDateAsText(key, isText) {
    const others = state.datesAsText.filter((other) => other !== key);
    update({ datesAsText: isText ? [...others, key] : others });
    focusField(key);
  },
  setKept(isKept) {
    update({ isKept });
    remember();
    vscode.postMessage({ type: "keepPanel", isKept });
  },
  setRunOnSave(runOnSave) {
    update({ runOnSave });
    remember();
  },
  askChoices: (field, parameter, search) => ask(field, search, parameter === undefined ? {} : { parameter }),
  askOptions(name, row, search) {
    const dynamicUrl = state.values[DYNAMIC_URL]?.trim();
    ask(optionsField(name), search, { property: { name, row, ...(dynamicUrl ? { dynamicUrl } : {}) } });
  },
  setTab: (tab) => update({ tab }),
  setView: (view) => update({ view }),
  setFilter(filter) {
    const { row: _row, ...rest } = state;
    state = { ...rest, filter };
    schedule();
  },
  setOrder(order) {
    const { row: _row, order: _order, ...rest } = state;
    state = { ...rest, ...(order === undefined ? {} : { order }) };
    schedule();
  },
  setRow(row) {
    const { row: _row, ...rest } = state;
    state = { ...rest, ...(row === undefined ? {} : { row }) };
    schedule();
  },
  recall: (id) => vscode.postMessage({ type: "recall", id }),
  runAgain(id) {
    const entry = state.history.find((known) => known.id === id);
    if (entry === undefined || state.running) return;
    // As it was, or not at all: with another account it would be another run.
    const { account = "", values } = entry.input;
    const isGone = account !== "" && !state.accounts.some(({ id }) => id === account);
    const problem = `The account ${entry.account ?? "of that run"} is no longer there. Choose an account.`;
    update({ values, tab: "result", account: isGone ? "" : account, problems: isGone ? { [ACCOUNT]: problem } : {} });
    if (isGone) {
      draw();
      document.getElementById("account")?.focus();
      return;
    }
    remember();
    actions.run();
  },
  pin: (id, pinned) => vscode.postMessage({ type: "pin", id, pinned }),
  rename: (id) => vscode.postMessage({ type: "rename", id }),
  forget: (id) => vscode.postMessage({ type: "forget", id }),
  choose: (id, chosen) => update({ chosen: chosen ? [...state.chosen, id] : state.chosen.filter((other) => other !== id) }),
  compare() {
    const [first, second] = state.chosen;
    if (first !== undefined && second !== undefined) vscode.postMessage({ type: "compare", ids: [first, second] });
  },
};

const TABS: readonly { readonly id: Tab; readonly name: string; count(): number; body(): TemplateResult }[] = [
  {
    id: "result",
    name: "Result",
    count: () => 0,
    body: () => html`${echoesView(state.requests, remedyFor(state, actions))}${resultView(state, actions)}`,
  },
  { id: "requests", name: "Requests", count: () => state.requests.length, body: () => requestsView(state, actions) },
  { id: "console", name: "Console", count: () => state.console.length, body: () => consoleView(state) },
  { id: "afterUpload", name: "After upload", count: () => state.report?.parity.length ?? 0, body: () => afterUploadView(state, actions) },
  { id: "history", name: "History", count: () => state.history.length, body: () => historyView(state, actions) },
];

function tabsView(): TemplateResult {
  return html`<div class="tabs">
      ${tabList({
        label: "What the run did",
        kind: "tab",
        tabs: TABS.map(({ id, name, count }) => ({
          id,
          name,
          ...(count() > 0 ? { mark: html` <span class="count">${count()}</span>` } : {}),
        })),
        selected: state.tab,
        controls: "tabpanel",
        select: actions.setTab,
      })}
      <span class="summary">
        <span role="status" data-testid="status" title=${state.report === undefined || state.running ? nothing : TIMES}>${summary()}</span>
        ${state.running ? html`<pack-auth-clock data-testid="time" ?paused=${state.paused}></pack-auth-clock>` : nothing}
      </span>
    </div>
    <section role="tabpanel" id="tabpanel" aria-labelledby="tab-${state.tab}" tabindex="0">${TABS.find((tab) => tab.id === state.tab)?.body() ?? nothing}</section>`;
}

const TIMES = "How long you waited for the result, and how long the engine took of it. Pauses of the debugger do not count.";

function summary(): string {
  if (state.running) return progressOf(state);
  const { report, held } = state;
  if (held !== undefined) return held;
  if (report === undefined) return "";
  const { outcome } = report;
  const rows = "rows" in outcome && outcome.rows !== undefined ? ` · ${countOfRows(outcome.rows)}` : "";
  const status = outcome.status === "succeeded" ? "OK" : outcome.status === "failed" ? "Failed" : "Cancelled";
  const past = state.recalled === undefined ? "" : `Run of ${new Date(report.startedAt).toLocaleString()} · `;
  const waited = clock.waited(report);
  return `${past}${status}${rows} · ${waited === undefined ? "" : `${waited} ms, `}engine ${report.duration} ms`;
}

/** Over the form and the last result, which stay; the host looks again by itself when a file changes. */
function brokenView(error: ErrorReport): TemplateResult {
  return html`<div class="broken" data-testid="broken">
    ${errorView(error, actions)}
    <vscode-button secondary @click=${() => vscode.postMessage({ type: "ready" })}>Try again</vscode-button>
  </div>`;
}

function draw(): void {
  const root = document.getElementById("panel");
  if (root === null) return;
  const body =
    state.phase === "loading"
      ? html`<h1>${state.title}</h1><p role="status">Building the pack…</p>`
      : state.phase === "unavailable" && state.error !== undefined
        ? html`<h1>${state.title}</h1>${brokenView(state.error)}`
        : html`${state.error === undefined ? nothing : brokenView(state.error)}${formView(state, actions)}${tabsView()}`;
  const wasOnCancel = document.activeElement?.id === "cancel";
  render(body, root);
  // Cancel is there only while something runs; what is pressed once more presses nothing else.
  if (wasOnCancel && !state.running) document.getElementById("tabpanel")?.focus();
}

/** Elements draw themselves a moment after they are there, and take no focus before. */
function afterDrawing(act: () => void): void {
  draw();
  setTimeout(act);
}

window.addEventListener("message", (event: MessageEvent<ToPanel>) => {
  const message = event.data;
  const before = state.target ?? memory?.target;
  if (message.type === "loading" && (before === undefined || keyOf(before) !== keyOf(message.target))) change(message.target, message.form);
  state = receive(state, message);
  schedule();
  if (["show", "accounts", "finished", "recalled"].includes(message.type)) remember();
  if (message.type === "history" && shownBefore !== undefined) {
    const id = shownBefore;
    shownBefore = undefined;
    if (message.entries.some((entry) => entry.id === id && entry.hasReport)) vscode.postMessage({ type: "recall", id });
  }
  if (message.type === "notStarted") showProblems(message.problems, isLastAsked);
  if (message.type === "paused") clock.hold(message.isPaused);
  if (message.type === "finished") clock.arrived(message.report);
  if (message.type === "startNow") afterDrawing(() => startNow(message.how));
  if (message.type === "accounts" && message.connected !== undefined && goOn !== undefined) {
    afterDrawing(goOn);
    goOn = undefined;
  }
  if (message.type === "saved" && state.runOnSave && state.phase === "ready") start("run", false);
});
/** Before the element with the focus sees it: to a button it would be a press too. */
window.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    actions.run();
  },
  { capture: true },
);
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && state.running) actions.cancel();
});
draw();
vscode.postMessage({ type: "ready" });
