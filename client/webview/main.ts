// The panel in the browser: one state, one view of it, and messages to and from the host.

import { render } from "lit";
import type { FormMemory, FromPanel, LeftForm, PanelMemory, RunnableArgument, ToPanel } from "../../protocol/panel.ts";
import { formOf, keyOf, memoryOf } from "./memory.ts";
import type { Panel } from "./panel.ts";
import "./panel.css";
import { createActions } from "./actions.ts";
import { Starter } from "./form/start-run.ts";
import { panelView } from "./panel-view.ts";
import { createRunClock } from "./run-clock.ts";
import { INITIAL, type PanelState, receive } from "./state.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void; getState(): unknown; setState(state: unknown): void };

const vscode = acquireVsCodeApi();
let memory = vscode.getState() as PanelMemory | undefined;
let state: PanelState = { ...INITIAL, ...leftForm(memory), isPinned: memory?.isPinned === true };
/** The result to restore after a reload of the window or a change of the formula, until it is requested. */
let shownBefore = memory?.shownRunId;

function leftForm(form: FormMemory | undefined): Pick<PanelState, "values" | "runOnSave" | "account"> {
  return { values: form?.values ?? {}, runOnSave: form?.runOnSave === true, account: form?.account };
}

/** Changes the panel to another formula, with the form as the author left it. */
function change(target: RunnableArgument, left: LeftForm | undefined): void {
  remember();
  if (memory !== undefined) {
    const { target: before, isPinned: _isPinned, otherForms: _otherForms, ...form } = memory;
    vscode.postMessage({ type: "left", target: before, form: { ...form, view: state.view } });
  }
  const form = left ?? formOf(memory, target);
  const { isPinned, view } = state;
  state = { ...INITIAL, ...leftForm(form), isPinned, view: left?.view ?? view };
  shownBefore = form?.shownRunId;
  starter.forget();
}

const panel: Panel = {
  get state() {
    return state;
  },
  update(change) {
    state = { ...state, ...change };
    schedule();
    remember();
  },
  draw,
  focus(id) {
    afterDrawing(() => document.getElementById(id)?.focus());
  },
  post: (message) => vscode.postMessage(message),
};
const clock = createRunClock();
const starter = new Starter(panel, clock.begin);
const actions = createActions(panel, starter);

let scheduled = false;
/** Draws a burst of messages once. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    draw();
    // The time is known only after the first drawing, so it is drawn in the same frame.
    if (clock.drawn()) draw();
  });
}

function remember(): void {
  memory = memoryOf(state, memory, shownBefore);
  if (memory !== undefined) vscode.setState(memory);
}

function draw(): void {
  const root = document.getElementById("panel");
  if (root === null) return;
  const focused = document.activeElement;
  render(panelView(state, actions, clock.waited), root);
  // Cancel is hidden when nothing runs. The focus moves, so that a second press does not press something else.
  if (focused?.isConnected === false || (focused?.id === "cancel" && !state.running))
    document.getElementById("tabpanel")?.focus({ preventScroll: true });
}

/** Custom elements render asynchronously, and accept no focus before. */
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
  if (message.type === "notStarted") {
    starter.notStarted(message.problems);
    starter.runEnded(false);
  }
  if (message.type === "paused") clock.pause(message.isPaused);
  if (message.type === "finished") {
    clock.arrived(message.report);
    starter.runEnded(message.report.outcome.status === "cancelled");
  }
  if (message.type === "startNow") afterDrawing(() => starter.startNow(message.how));
  if (message.type === "accounts" && message.connected !== undefined) afterDrawing(() => starter.goOn());
  if (message.type === "saved") starter.fileChanged();
});
/** Handles the key before the focused element, where it would also press a button. */
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
/** The browser removes the focus while another frame has it, such as the editor's quick input. The panel restores it afterwards. */
let left: EventTarget | null = null;
document.addEventListener("focusout", ({ target }) => {
  left = target;
});
window.addEventListener("focus", () =>
  requestAnimationFrame(() => {
    // A file that the person chose in the quick input may be open by now, and has the focus then.
    if (document.hasFocus() && document.activeElement === document.body && left instanceof HTMLElement) left.focus({ preventScroll: true });
  }),
);
draw();
vscode.postMessage({ type: "ready" });
