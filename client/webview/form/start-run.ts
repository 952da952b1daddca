// From a press of Run to the message that starts the run: what is wrong in the form, and whose account it needs, comes first.
import { defined } from "../../../base/defined.ts";
import type { AllAccountsRun, FilledForm, FromPanel, RunMode, Runnable } from "../../../protocol/panel.ts";
import { DEFAULT_ROWS, MOST_ROWS } from "../../../protocol/row-limits.ts";
import type { AuthScope } from "../../../protocol/run.ts";
import type { Panel } from "../panel.ts";
import { ACCOUNT, AS_ASSISTANT, AT_SANDBOX, DYNAMIC_URL, type PanelState, ROW_LIMIT } from "../state.ts";
import { actsFor, emptyField, lacksAccount, needsNoAccount } from "./before-run.ts";
import { dynamicUrlOf, fieldId, fieldTexts, toolOf } from "./parameters.ts";

type Problems = PanelState["problems"];

export type Starter = ReturnType<typeof createStarter>;

/** `begin` is told when a person's wait begins. */
export function createStarter(panel: Panel, begin: () => void) {
  /** Whether a person asked for the last run: what is wrong in the form gets the focus then. */
  let isLastExplicit = false;
  /** What waits for the account that is being connected. */
  let waiting: (() => void) | undefined;

  /** False where something is wrong. */
  function showProblems(problems: Problems, isExplicit: boolean): boolean {
    panel.update({ problems });
    const [first] = Object.keys(problems);
    if (first !== undefined && isExplicit) panel.focus(fieldId(first));
    return first === undefined;
  }

  /** Another account, or the picked one again where it needs that. */
  function connect(scope: AuthScope, account?: string): void {
    waiting = undefined;
    panel.post({ type: "connect", scope, ...defined({ account }) });
  }

  function connectFirst(then: () => void): void {
    connect("user");
    waiting = then;
  }

  /** `isAsked`: by a person, and not by a file that was saved. */
  function start(type: RunMode, isExplicit: boolean, more: Pick<FromPanel & { type: "run" }, "update" | "sinceShown"> = {}): void {
    const { runnable, running, values, tab } = panel.state;
    if (runnable === undefined || running) return;
    begin();
    waiting = undefined;
    if (!showProblems(problemsOf(panel.state), isExplicit)) return;
    if (lacksAccount(panel.state)) {
      if (isExplicit) connectFirst(() => start(type, true, more));
      return;
    }
    isLastExplicit = isExplicit;
    // At once: a press that comes before the host's answer is not one that nothing hears.
    panel.update({ running: true, tab: tab === "history" ? "result" : tab });
    panel.draw();
    const tool = toolOf(runnable, values)?.name;
    const atSandbox = (needsNoAccount(panel.state) && values[AT_SANDBOX] === "true") || undefined;
    panel.post({ type, ...filledForm(panel.state, runnable), values, ...defined({ tool, atSandbox }), ...more });
  }

  /** The form as it is, recorded as a test. */
  function saveTest(): void {
    const { runnable, running } = panel.state;
    if (runnable === undefined || running || !showProblems(problemsOf(panel.state), true)) return;
    if (lacksAccount(panel.state)) {
      connectFirst(saveTest);
      return;
    }
    isLastExplicit = true;
    panel.post({ type: "saveTest", ...filledForm(panel.state, runnable) });
  }

  /** The form as it is, with every account or on the bad days of the sandbox: no account of the form is needed. */
  function startRuns(kind: AllAccountsRun["kind"]): void {
    const { runnable, running } = panel.state;
    const { [ACCOUNT]: _account, ...problems } = problemsOf(panel.state);
    if (runnable === undefined || running || !showProblems(problems, true)) return;
    isLastExplicit = true;
    const { fields, dynamicUrl } = filledForm(panel.state, runnable);
    panel.update({ running: true, allAccountsRun: { kind, rows: [] }, tab: "survey" });
    panel.post({ type: kind, fields, ...defined({ dynamicUrl }) });
  }

  /** By a lens or the palette: begins where the form can be run as it is, else it waits for the author at the place that needs them. */
  function startNow(how: RunMode): void {
    if (panel.state.running) return;
    const empty = emptyField(panel.state);
    const label = actsFor(panel.state);
    if (empty !== undefined) panel.focus(fieldId(empty));
    // Whom it acts for is known when that is connected.
    else if (lacksAccount(panel.state)) connectFirst(() => startNow(how));
    else if (label === undefined) start(how, true);
    else {
      panel.update({ startPrompt: `Press Run to start this action with the real account ${label}.` });
      panel.focus("run");
    }
  }

  return {
    start,
    saveTest,
    startRuns: startRuns,
    startNow,
    connect,
    /** With what waited for the account that has been connected. */
    goOn() {
      const next = waiting;
      waiting = undefined;
      next?.();
    },
    /** Nothing waits for an account any more. */
    forget() {
      waiting = undefined;
    },
    /** What the host found wrong in the form of the run that was asked for last. */
    notStarted: (problems: Problems) => showProblems(problems, isLastExplicit),
  };
}

/** What the panel itself knows to be wrong; the host reads the parameters. */
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

/** Of a form with nothing wrong in it. */
function filledForm({ values, account }: PanelState, runnable: Runnable): FilledForm {
  return {
    fields: fieldTexts(runnable, values),
    ...defined({ account: account || undefined, asAssistant: values[AS_ASSISTANT] === "true" || undefined }),
    ...(runnable.kind === "syncTable" ? { rowLimit: rowLimitOf(values), ...defined({ dynamicUrl: dynamicUrlOf(values) }) } : {}),
  };
}
