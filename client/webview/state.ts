// The panel's state, and how each message of the host changes it. Pure.
import type { ConnectionRequirement } from "../../protocol/definition.ts";
import type {
  AllAccountsRun,
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

export type Tab = "result" | "requests" | "console" | "afterUpload" | "history" | "survey";
export type { ResultView };

/** The key of what is wrong with the account. */
export const ACCOUNT = "#account";

/** The key of a dynamic table's URL. */
export const DYNAMIC_URL = "#dynamicUrl";

/** The key of the most rows that are read of a sync table. */
export const ROW_LIMIT = "#rowLimit";

/** The key of the tool of an MCP server; empty where its tools are listed. */
export const TOOL = "#tool";

/** The key of whether the sandbox stands in for an MCP server that takes no account. */
export const AT_SANDBOX = "#atSandbox";

/** The key of whether the assistant calls it, and not a document. */
export const AS_ASSISTANT = "#asAssistant";

/** The key of what may be chosen for a property of a row. */
export const optionsField = (property: string): string => `#options ${property}`;

/** What a field may hold, as far as it was asked for. */
export interface Choices {
  readonly search: string;
  readonly state: "asked" | "known";
  readonly choices: readonly Choice[];
  readonly problem?: string | undefined;
}

export interface PanelState {
  readonly title: string;
  /** No other formula is shown here. */
  readonly isPinned: boolean;
  readonly phase: "loading" | "ready" | "unavailable";
  readonly runnable?: Runnable | undefined;
  readonly target?: RunnableArgument | undefined;
  readonly accountRequirement: ConnectionRequirement;
  readonly accounts: readonly PanelAccount[];
  /** Empty where a person picked none; undefined until there is one to pick. */
  readonly account?: string | undefined;
  readonly systemAccount?: PanelAccount | null | undefined;
  readonly values: FormValues;
  /** The fields of dates that are written, and not picked. */
  readonly datesAsText: readonly string[];
  /** Field → what is wrong with its value. */
  readonly problems: Readonly<Record<string, string>>;
  readonly choices: Readonly<Record<string, Choices>>;
  readonly runOnSave: boolean;
  readonly running: boolean;
  /** The result before the run that is under way: where that does not begin after all, it is shown again. */
  readonly before?: ShownResult | undefined;
  /** Held by the debugger. */
  readonly paused: boolean;
  /** Why a run that was asked for waits for the author. */
  readonly startPrompt?: string | undefined;
  readonly rows?: number | undefined;
  readonly requests: readonly RequestTrace[];
  /** Those that wait for their answers, while a run is under way. */
  readonly underWay: readonly RequestUnderWay[];
  readonly console: readonly ConsoleEntry[];
  readonly report?: RunReport | undefined;
  /** The run of the past that the report is of. */
  readonly recalled?: string | undefined;
  /** The entry of the history that the report is of, also of a run that just ended. */
  readonly shownRunId?: string | undefined;
  /** What came of every account, or of the bad days, as far as they are done. */
  readonly allAccountsRun?: AllAccountsRun | undefined;
  readonly history: readonly HistoryEntry[];
  /** Runs chosen to be compared, two at most. */
  readonly chosen: readonly string[];
  readonly error?: ErrorReport | undefined;
  readonly tab: Tab;
  readonly view: ResultView;
  readonly filter: string;
  readonly order?: Order | undefined;
  /** The row of the table that is shown whole. */
  readonly row?: number | undefined;
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

/** `startNow` and `saved` ask for an action and change nothing here. */
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
      // Form and result stay as they were, under the message.
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
    case "notStarted": {
      // What did not begin leaves no empty table.
      const without: Partial<PanelState> = state.allAccountsRun?.rows.length === 0 ? { allAccountsRun: undefined, tab: "result" } : {};
      return { ...state, ...without, ...state.before, before: undefined, problems: message.problems, running: false, paused: false };
    }
    case "surveyed":
      return { ...state, allAccountsRun: message.allAccountsRun, running: !message.isOver, tab: "survey" };
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
      // A run that is under way is not covered by an old one.
      return state.running ? state : { ...withReport(state, message.report, message.id, message.id), tab: "result", filter: "" };
    case "history": {
      const historyIds = new Set(message.entries.map(({ id }) => id));
      return { ...state, history: message.entries, chosen: state.chosen.filter((id) => historyIds.has(id)) };
    }
    case "choices": {
      const { field, search, choices, problem } = message;
      // An answer to what was typed before is of no use.
      if (state.choices[field]?.search !== search) return state;
      return { ...state, choices: { ...state.choices, [field]: { state: "known", search, choices, problem } } };
    }
    case "startNow":
    case "saved":
      return state;
  }
}

/** A credential in a field is not kept: the form is written down to come back after a reload. */
function masked(state: PanelState, values: FormValues | undefined): Partial<PanelState> {
  if (values === undefined) return {};
  const maskedKeys = Object.keys(values).filter((key) => values[key] !== state.values[key]);
  const problem = "Enter this value again: it was the account's credential, and fields do not store credentials.";
  return {
    values: { ...state.values, ...values },
    problems: { ...state.problems, ...Object.fromEntries(maskedKeys.map((key) => [key, problem])) },
  };
}

/** Whoever watches the requests goes on doing so, but an error is not missed; what is wrong with a parameter is said at its field too. */
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

/** What a person picked stays. Where that account is gone no other one takes its place, since a run may change data: they pick again. */
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

/** What a run that is under way is doing. */
export const progressOf = ({ paused, rows }: PanelState): string =>
  `${paused ? "Paused" : "Running…"}${rows === undefined ? "" : `${paused ? " · " : " "}${countOfRows(rows)}`}`;
