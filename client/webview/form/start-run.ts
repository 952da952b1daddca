// From a press of Run to the message that starts the run: what is wrong in the form, and whose account it needs, comes first.
import { t } from "@vscode/l10n";
import { defined } from "../../../protocol/defined.ts";
import type { FromPanel, RunMode, Survey } from "../../../protocol/panel.ts";
import type { AuthScope } from "../../../protocol/run.ts";
import type { Panel } from "../panel.ts";
import { ACCOUNT, AS_ASSISTANT, AT_SANDBOX, DYNAMIC_URL, type PanelState } from "../state.ts";
import { actsFor, emptyField, lacksAccount, takesNoAccount } from "./before-run.ts";
import { fieldId } from "./field.ts";
import { ROW_LIMIT } from "./form.ts";
import { fieldTexts, toolOf } from "./parameters.ts";

export interface Starter {
  /** `isAsked`: by a person, and not by a file that was saved. */
  start(type: RunMode, isAsked: boolean, more?: Pick<FromPanel & { type: "run" }, "update" | "sinceShown">): void;
  /** The form as it is, recorded as a test. */
  saveTest(): void;
  /** The form as it is, with every account or on bad days: no account of the form is needed. */
  survey(kind: Survey["kind"]): void;
  /** By a lens or the palette: begins where the form can be run as it is, else it waits for the author at the place that needs them. */
  startNow(how: RunMode): void;
  connect(scope: AuthScope, account?: string): void;
  /** What waited for the account that has been connected; nothing where nothing did. */
  waiting(): (() => void) | undefined;
  /** Nothing waits for an account any more. */
  forget(): void;
  /** What the host found wrong in the form of the run that was asked for last. */
  notStarted(problems: Readonly<Record<string, string>>): void;
  focusField(key: string): void;
}

/** The elements of the fields that are no parameters. */
const OWN_FIELDS: ReadonlyMap<string, string> = new Map([
  [ACCOUNT, "account"],
  [ROW_LIMIT, "row-limit"],
  [DYNAMIC_URL, "dynamic-url"],
]);

/** `begin` is told when a person's wait begins. */
export function createStarter(panel: Panel, begin: () => void): Starter {
  /** Whether a person asked for the last run: what is wrong in the form gets the focus then. */
  let isLastAsked = false;
  /** What waits for the account that is being connected. */
  let goOn: (() => void) | undefined;

  function focusField(key: string): void {
    panel.draw();
    document.getElementById(OWN_FIELDS.get(key) ?? fieldId(key))?.focus();
  }

  function showProblems(problems: Readonly<Record<string, string>>, isAsked: boolean): void {
    panel.update({ problems });
    panel.draw();
    const [first] = Object.keys(problems);
    if (first !== undefined && isAsked) focusField(first);
  }

  function connect(scope: AuthScope, account?: string): void {
    goOn = undefined;
    panel.post({ type: "connect", scope, ...defined({ account }) });
  }

  function connectFirst(then: () => void): void {
    connect("user");
    goOn = then;
  }

  function start(type: RunMode, isAsked: boolean, more: Pick<FromPanel & { type: "run" }, "update" | "sinceShown"> = {}): void {
    if (!panel.state.running) begin();
    goOn = undefined;
    const { runnable, running, values, account, tab } = panel.state;
    if (runnable === undefined || running) return;
    const problems = problemsOf(panel.state);
    showProblems(problems, isAsked);
    if (Object.keys(problems).length > 0) return;
    if (lacksAccount(panel.state)) {
      if (isAsked) connectFirst(() => start(type, true, more));
      return;
    }
    if (tab === "history") panel.update({ tab: "result" });
    isLastAsked = isAsked;
    const form = { fields: fieldTexts(runnable, values), values, ...(account ? { account } : {}) };
    const tool = toolOf(runnable, values)?.name;
    // At once: a press that comes before the host's answer is not one that nothing hears.
    panel.update({ running: true });
    panel.draw();
    panel.post({
      type,
      ...form,
      ...tableOf(panel.state),
      ...defined({ tool }),
      ...sandboxOf(panel.state),
      ...assistantOf(values),
      ...more,
    });
  }

  function saveTest(): void {
    const { runnable, running, values, account } = panel.state;
    if (runnable === undefined || running) return;
    const problems = problemsOf(panel.state);
    showProblems(problems, true);
    if (Object.keys(problems).length > 0) return;
    if (lacksAccount(panel.state)) {
      connectFirst(saveTest);
      return;
    }
    isLastAsked = true;
    const form = { fields: fieldTexts(runnable, values), ...(account ? { account } : {}) };
    panel.post({ type: "saveTest", ...form, ...tableOf(panel.state), ...assistantOf(values) });
  }

  function survey(kind: Survey["kind"]): void {
    const { runnable, running, values } = panel.state;
    if (runnable === undefined || running) return;
    const { [ACCOUNT]: _account, ...problems } = problemsOf(panel.state);
    showProblems(problems, true);
    if (Object.keys(problems).length > 0) return;
    isLastAsked = true;
    const { dynamicUrl } = tableOf(panel.state);
    panel.update({ running: true, survey: { kind, rows: [] }, tab: "survey" });
    panel.post({ type: kind, fields: fieldTexts(runnable, values), ...defined({ dynamicUrl }) });
  }

  function startNow(how: RunMode): void {
    if (panel.state.running) return;
    const empty = emptyField(panel.state);
    const label = actsFor(panel.state);
    if (empty !== undefined) focusField(empty);
    // Whom it acts for is known when that is connected.
    else if (lacksAccount(panel.state)) connectFirst(() => startNow(how));
    else if (label === undefined) start(how, true);
    else {
      panel.update({ held: t`Press Run to start this action with the real account ${label}.` });
      panel.draw();
      document.getElementById("run")?.focus();
    }
  }

  return {
    start,
    saveTest,
    survey,
    startNow,
    connect,
    waiting: () => goOn,
    forget() {
      goOn = undefined;
    },
    notStarted: (problems) => showProblems(problems, isLastAsked),
    focusField,
  };
}

/** What the panel itself knows to be wrong; the host reads the parameters. */
function problemsOf(state: PanelState): Readonly<Record<string, string>> {
  const { accountRequirement, account, accounts, problems, runnable, values } = state;
  const found: Record<string, string> = {};
  if (accountRequirement === "required" && !account && accounts.length > 0) found[ACCOUNT] = problems[ACCOUNT] ?? t`Choose an account.`;
  if (runnable?.kind !== "syncTable") return found;
  if (rowLimit(state) === undefined) found[ROW_LIMIT] = t`Enter a number from 1 to 10,000.`;
  if (runnable.definition.isDynamic && !values[DYNAMIC_URL]?.trim()) found[DYNAMIC_URL] = t`Choose a table.`;
  return found;
}

function rowLimit({ values }: PanelState): number | undefined {
  const limit = Number(values[ROW_LIMIT] ?? "1000");
  return Number.isInteger(limit) && limit >= 1 && limit <= 10_000 ? limit : undefined;
}

/** A sync table's own part of the form. */
function tableOf(state: PanelState): Pick<FromPanel & { type: "run" }, "rowLimit" | "dynamicUrl"> {
  const limit = rowLimit(state);
  const dynamicUrl = state.values[DYNAMIC_URL]?.trim();
  return state.runnable?.kind === "syncTable" && limit !== undefined ? { rowLimit: limit, ...(dynamicUrl ? { dynamicUrl } : {}) } : {};
}

const assistantOf = (values: PanelState["values"]): Pick<FromPanel & { type: "run" }, "asAssistant"> =>
  values[AS_ASSISTANT] === "true" ? { asAssistant: true } : {};

const sandboxOf = (state: PanelState): Pick<FromPanel & { type: "run" }, "atSandbox"> =>
  takesNoAccount(state) && state.values[AT_SANDBOX] === "true" ? { atSandbox: true } : {};
