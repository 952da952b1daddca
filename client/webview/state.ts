// The panel's state, and how each message of the host changes it. Pure.
import type { ConnectionRequirement } from "../../protocol/definition.ts";
import type {
  Choice,
  FormValues,
  HistoryEntry,
  PanelAccount,
  PanelAccounts,
  ResultView,
  Runnable,
  RunnableArgument,
  ToPanel,
} from "../../protocol/panel.ts";
import type { ConsoleEntry, ErrorReport, RequestTrace, RequestUnderWay, RunReport } from "../../protocol/run.ts";
import { prefilled } from "./form/prefilled.ts";
import { countOfRows, type Order } from "./result/rows.ts";

export type Tab = "result" | "requests" | "console" | "afterUpload" | "history";
export type { ResultView };

/** The key of the account's problem. */
export const ACCOUNT = "#account";

/** The key of a dynamic table's URL. */
export const DYNAMIC_URL = "#dynamicUrl";

/** The key of the maximum number of rows of a sync table. */
export const ROW_LIMIT = "#rowLimit";

/** The key of an MCP server's tool; its value is empty for the list of tools. */
export const TOOL = "#tool";

/** The key of whether the sandbox replaces an MCP server that needs no account. */
export const AT_SANDBOX = "#atSandbox";

/** The key of whether the assistant runs the formula, and not a document. */
export const AS_ASSISTANT = "#asAssistant";

/** Returns the key of the options for a property of a row. */
export const optionsField = (property: string): string => `#options ${property}`;

/** The possible values of a field for a search. */
export interface Choices {
  readonly search: string;
  readonly state: "loading" | "loaded";
  readonly choices: readonly Choice[];
  readonly problem?: string | undefined;
}

export interface PanelState {
  readonly title: string;
  /** Whether the panel keeps its formula. */
  readonly isPinned: boolean;
  readonly phase: "loading" | "ready" | "unavailable";
  readonly runnable?: Runnable | undefined;
  readonly target?: RunnableArgument | undefined;
  readonly accountRequirement: ConnectionRequirement;
  readonly accounts: readonly PanelAccount[];
  /** Empty if the person selected none; undefined until there is an account to select. */
  readonly account?: string | undefined;
  readonly systemAccount?: PanelAccount | null | undefined;
  readonly values: FormValues;
  /** Keys of the date fields that are typed instead of picked. */
  readonly datesAsText: readonly string[];
  /** Field key → the problem with its value. */
  readonly problems: Readonly<Record<string, string>>;
  readonly choices: Readonly<Record<string, Choices>>;
  readonly runOnSave: boolean;
  readonly running: boolean;
  /** The previous result, which is shown again if the run does not start. */
  readonly before?: ShownResult | undefined;
  /** Whether the debugger pauses the run. */
  readonly paused: boolean;
  /** Why a requested run waits for the author. */
  readonly startPrompt?: string | undefined;
  readonly rows?: number | undefined;
  readonly requests: readonly RequestTrace[];
  /** The requests that wait for a response during a run. */
  readonly underWay: readonly RequestUnderWay[];
  readonly console: readonly ConsoleEntry[];
  readonly report: RunReport | undefined;
  /** The ID of the report's run if it comes from the history. */
  readonly recalled: string | undefined;
  /** The ID of the report's entry in the history, also for a run that just ended. */
  readonly shownRunId?: string | undefined;
  readonly history: readonly HistoryEntry[];
  /** Runs selected for comparison, two at most. */
  readonly chosen: readonly string[];
  readonly error?: ErrorReport | undefined;
  readonly tab: Tab;
  readonly view: ResultView;
  readonly filter: string;
  readonly order?: Order | undefined;
  /** The row of the table that is shown in full. */
  readonly row: number | undefined;
}

type ShownResult = Pick<PanelState, "report" | "requests" | "console" | "rows" | "row" | "recalled" | "shownRunId" | "filter">;

const NO_RESULT: ShownResult = {
  report: undefined,
  requests: [],
  console: [],
  rows: undefined,
  row: undefined,
  recalled: undefined,
  shownRunId: undefined,
  filter: "",
};

export const INITIAL: PanelState = {
  ...NO_RESULT,
  title: "",
  isPinned: false,
  phase: "loading",
  accountRequirement: "none",
  accounts: [],
  values: {},
  datesAsText: [],
  problems: {},
  choices: {},
  runOnSave: false,
  running: false,
  paused: false,
  underWay: [],
  history: [],
  chosen: [],
  tab: "result",
  view: "table",
};

/** Returns the next state. `startNow` and `saved` request an action, and change nothing here. */
export function receive(state: PanelState, message: ToPanel): PanelState {
  switch (message.type) {
    case "loading":
      return {
        ...state,
        title: `${message.pack} ▸ ${message.target.name}`,
        target: message.target,
        phase: state.runnable === undefined ? "loading" : state.phase,
      };
    case "unavailable":
      // Form and result stay below the message.
      return { ...state, phase: state.runnable === undefined ? "unavailable" : "ready", error: message.error };
    case "show":
      return {
        ...withAccounts(state, message),
        error: undefined,
        phase: "ready",
        runnable: message.runnable,
        target: message.target,
        accountRequirement: message.accountRequirement,
        values: prefilled(message.runnable, state.values),
      };
    case "accounts":
      return withAccounts(state, message);
    case "started":
      return {
        ...state,
        ...NO_RESULT,
        before: resultOf(state),
        startPrompt: undefined,
        error: undefined,
        running: true,
        paused: false,
        underWay: [],
      };
    case "notStarted":
      return { ...state, ...state.before, before: undefined, problems: message.problems, running: false, paused: false };
    case "paused":
      return { ...state, paused: message.isPaused };
    case "request":
      return { ...state, requests: [...state.requests, message.request] };
    case "underWay":
      return { ...state, underWay: message.requests };
    case "console":
      return { ...state, console: [...state.console, message.entry] };
    case "rows":
      return { ...state, rows: message.count };
    case "tools":
      return state.runnable?.kind === "mcpServer" ? { ...state, runnable: { ...state.runnable, tools: message.tools } } : state;
    case "finished":
      return {
        ...withReport(state, message.report, message.id),
        ...masked(state, message.values),
        running: false,
        ...failureFields(state, message.report),
      };
    case "recalled":
      // An old run does not replace the view of a run in progress.
      return state.running ? state : { ...withReport(state, message.report, message.id, message.id), tab: "result", filter: "" };
    case "history": {
      const historyIds = new Set(message.entries.map(({ id }) => id));
      return { ...state, history: message.entries, chosen: state.chosen.filter((id) => historyIds.has(id)) };
    }
    case "choices": {
      const { field, search, choices, problem } = message;
      // A response to an earlier search is useless.
      if (state.choices[field]?.search !== search) return state;
      return { ...state, choices: { ...state.choices, [field]: { state: "loaded", search, choices, problem } } };
    }
    case "startNow":
    case "saved":
      return state;
  }
}

/** Removes credentials from the form, because the form is stored for a reload. */
function masked(state: PanelState, values: FormValues | undefined): Partial<PanelState> {
  if (values === undefined) return {};
  const maskedKeys = Object.keys(values).filter((key) => values[key] !== state.values[key]);
  const problem = "Enter this value again: it was the account's credential, and fields do not store credentials.";
  return {
    values: { ...state.values, ...values },
    problems: { ...state.problems, ...Object.fromEntries(maskedKeys.map((key) => [key, problem])) },
  };
}

/**
 * Shows the result after a failure, so that a person on another tab does not miss the error. A problem of a parameter appears at its field
 * too.
 */
function failureFields(state: PanelState, { field, outcome }: RunReport): Partial<PanelState> {
  if (outcome.status !== "failed") return {};
  return { tab: "result", ...(field !== undefined && { problems: { ...state.problems, [field]: outcome.error.message } }) };
}

function resultOf({ report, requests, console, rows, row, recalled, shownRunId, filter }: PanelState): ShownResult {
  return { report, requests, console, rows, row, recalled, shownRunId, filter };
}

function withReport(state: PanelState, report: RunReport, shownRunId: string | undefined, recalled?: string): PanelState {
  const { requests, console } = report;
  return {
    ...state,
    report,
    requests,
    console,
    shownRunId,
    recalled,
    before: undefined,
    startPrompt: undefined,
    row: undefined,
    order: undefined,
  };
}

/**
 * Keeps the selected account. If that account is gone, no other one replaces it, because a run may change data: the person selects again.
 */
function withAccounts(state: PanelState, message: PanelAccounts & { readonly connected?: string }): PanelState {
  const { accounts, selectedAccount, systemAccount, connected } = message;
  const { account: current } = state;
  const has = (id: string | undefined): boolean => accounts.some((account) => account.id === id);
  const unpicked = current === undefined ? selectedAccount : accounts.length === 0 ? undefined : "";
  const account = has(connected) ? connected : has(current) ? current : unpicked;
  const { [ACCOUNT]: problem, ...problems } = state.problems;
  const label = state.accounts.find(({ id }) => id === current)?.label ?? "The chosen account";
  const accountProblem = current ? `Choose an account. ${label} does not exist any more.` : problem;
  return {
    ...state,
    accounts,
    account,
    systemAccount,
    problems: account === "" && accountProblem !== undefined ? { ...problems, [ACCOUNT]: accountProblem } : problems,
    choices: {},
  };
}

/** Returns the progress of a run. */
export const progressOf = ({ paused, rows }: PanelState): string =>
  `${paused ? "Paused" : "Running…"}${rows === undefined ? "" : `${paused ? " · " : " "}${countOfRows(rows)}`}`;
