// From a press of Run to the message that starts the run. Problems of the form and a missing account come first.
import { defined } from "../../../base/defined.ts";
import type { FilledForm, FromPanel, RunMode, Runnable } from "../../../protocol/panel.ts";
import { DEFAULT_ROWS, MOST_ROWS } from "../../../protocol/row-limits.ts";
import type { AuthScope } from "../../../protocol/run.ts";
import type { Panel } from "../panel.ts";
import { ACCOUNT, AS_ASSISTANT, AT_SANDBOX, DYNAMIC_URL, type PanelState, ROW_LIMIT } from "../state.ts";
import { actsFor, emptyField, lacksAccount, needsNoAccount } from "./before-run.ts";
import { dynamicUrlOf, fieldId, fieldTexts, toolOf } from "./parameters.ts";

type Problems = PanelState["problems"];

export class Starter {
  readonly #panel: Panel;
  readonly #begin: () => void;
  /** Whether a person requested the last run; a problem in the form is then focused. */
  #isLastExplicit = false;
  /** The action that waits for an account to be connected. */
  #waiting: (() => void) | undefined;
  /** Whether a file changed during the run, so that its result may be that of the file before. */
  #isOutdated = false;

  /** `begin` is called when a person starts to wait. */
  constructor(panel: Panel, begin: () => void) {
    this.#panel = panel;
    this.#begin = begin;
  }

  /** `isExplicit`: a person requested the run, and not a saved file. */
  start(type: RunMode, isExplicit: boolean, more: Pick<FromPanel & { type: "run" }, "update" | "sinceShown"> = {}): void {
    const panel = this.#panel;
    const { runnable, running, values, tab } = panel.state;
    if (runnable === undefined || running) return;
    this.#begin();
    this.forget();
    if (!this.#showProblems(problemsOf(panel.state), isExplicit)) return;
    if (lacksAccount(panel.state)) {
      if (isExplicit) this.#connectFirst(() => this.start(type, true, more));
      return;
    }
    this.#isLastExplicit = isExplicit;
    // The state changes at once, so that a press before the host's response has a visible effect.
    panel.update({ running: true, tab: tab === "history" ? "result" : tab });
    panel.draw();
    const tool = toolOf(runnable, values)?.name;
    const atSandbox = (needsNoAccount(panel.state) && values[AT_SANDBOX] === "true") || undefined;
    panel.post({ type, ...filledForm(panel.state, runnable), values, ...defined({ tool, atSandbox }), ...more });
  }

  /** Runs again because a file of the pack changed: at once, or after the run in progress. */
  fileChanged(): void {
    const { runOnSave, phase, running } = this.#panel.state;
    this.#isOutdated = runOnSave && running;
    if (runOnSave && !running && phase === "ready") this.start("run", false);
  }

  runEnded(isCancelled: boolean): void {
    if (this.#isOutdated && !isCancelled) this.fileChanged();
    this.#isOutdated = false;
  }

  /** Records the current form as a test. */
  saveTest(): void {
    const panel = this.#panel;
    const { runnable, running } = panel.state;
    if (runnable === undefined || running || !this.#showProblems(problemsOf(panel.state), true)) return;
    if (lacksAccount(panel.state)) {
      this.#connectFirst(() => this.saveTest());
      return;
    }
    this.#isLastExplicit = true;
    panel.post({ type: "saveTest", ...filledForm(panel.state, runnable) });
  }

  /** Starts a run for a lens or the palette if the form is complete. Else it focuses the field that needs the author. */
  startNow(how: RunMode): void {
    const panel = this.#panel;
    if (panel.state.running) return;
    const empty = emptyField(panel.state);
    const label = actsFor(panel.state);
    if (empty !== undefined) panel.focus(fieldId(empty));
    // The account of the action is known only after it is connected.
    else if (lacksAccount(panel.state)) this.#connectFirst(() => this.startNow(how));
    else if (label === undefined) this.start(how, true);
    else {
      panel.update({ startPrompt: `Press Run to start this action with the real account ${label}.` });
      panel.focus("run");
    }
  }

  /** Connects another account, or signs in to the given one again. */
  connect(scope: AuthScope, account?: string): void {
    this.forget();
    this.#panel.post({ type: "connect", scope, ...defined({ account }) });
  }

  /** Continues the action that waited for the account. */
  goOn(): void {
    const next = this.#waiting;
    this.forget();
    next?.();
  }

  /** Drops the action that waits for an account. */
  forget(): void {
    this.#waiting = undefined;
  }

  /** Shows the problems that the host found in the form of the last requested run. */
  notStarted(problems: Problems): void {
    this.#showProblems(problems, this.#isLastExplicit);
  }

  /** Returns false if there is a problem. */
  #showProblems(problems: Problems, isExplicit: boolean): boolean {
    this.#panel.update({ problems });
    const [first] = Object.keys(problems);
    if (first !== undefined && isExplicit) this.#panel.focus(fieldId(first));
    return first === undefined;
  }

  #connectFirst(then: () => void): void {
    this.connect("user");
    this.#waiting = then;
  }
}

/** Returns the problems that the panel can detect; the host parses the parameters. */
function problemsOf({ accountRequirement, account, accounts, problems, runnable, values }: PanelState): Problems {
  const fieldProblems: Record<string, string> = {};
  if (accountRequirement === "required" && !account && accounts.length > 0)
    fieldProblems[ACCOUNT] = problems[ACCOUNT] ?? "Choose an account.";
  if (runnable?.kind !== "syncTable") return fieldProblems;
  const limit = rowLimitOf(values);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MOST_ROWS))
    fieldProblems[ROW_LIMIT] = `Enter a number from 1 to ${MOST_ROWS.toLocaleString("en")}.`;
  if (runnable.definition.isDynamic && dynamicUrlOf(values) === undefined) fieldProblems[DYNAMIC_URL] = "Choose a table.";
  return fieldProblems;
}

const rowLimitOf = (values: PanelState["values"]): number => Number(values[ROW_LIMIT] ?? DEFAULT_ROWS);

/** Returns the message content for a form without problems. */
function filledForm({ values, account }: PanelState, runnable: Runnable): FilledForm {
  return {
    fields: fieldTexts(runnable, values),
    ...defined({ account: account || undefined, asAssistant: values[AS_ASSISTANT] === "true" || undefined }),
    ...(runnable.kind === "syncTable" ? { rowLimit: rowLimitOf(values), ...defined({ dynamicUrl: dynamicUrlOf(values) }) } : {}),
  };
}
