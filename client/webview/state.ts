// The panel's state, and how each message of the host changes it. Pure.
import type { Choice, FormValues, HistoryEntry, PanelAccount, PanelMemory, Runnable, ToPanel } from "../../protocol/panel.ts";
import type { ConsoleEntry, ErrorReport, RequestTrace, RunReport } from "../../protocol/run.ts";
import type { Order } from "./rows.ts";

export type Tab = "result" | "requests" | "console" | "parity" | "history";
export type ResultView = "table" | "rendered" | "json" | "raw";

/** What a field may hold, as far as it was asked for. */
export interface Choices {
  readonly search: string;
  readonly state: "asked" | "known";
  readonly choices: readonly Choice[];
  readonly problem?: string;
}

export interface PanelState {
  readonly title: string;
  readonly phase: "loading" | "ready" | "unavailable";
  readonly runnable?: Runnable;
  readonly target?: PanelMemory["target"];
  readonly accountRequirement: "none" | "optional" | "required";
  readonly accounts: readonly PanelAccount[];
  readonly account?: string;
  readonly values: FormValues;
  /** Field → what is wrong with its value. */
  readonly problems: Readonly<Record<string, string>>;
  readonly choices: Readonly<Record<string, Choices>>;
  readonly runOnSave: boolean;
  readonly running: boolean;
  readonly rows?: number;
  readonly requests: readonly RequestTrace[];
  readonly console: readonly ConsoleEntry[];
  readonly report?: RunReport;
  /** The run of the past that the report is of. */
  readonly recalled?: string;
  readonly history: readonly HistoryEntry[];
  /** Runs chosen to be compared, two at most. */
  readonly chosen: readonly string[];
  readonly error?: ErrorReport;
  readonly tab: Tab;
  readonly view: ResultView;
  readonly filter: string;
  readonly order?: Order;
  /** The row of the table that is shown whole. */
  readonly row?: number;
}

export const INITIAL: PanelState = {
  title: "",
  phase: "loading",
  accountRequirement: "none",
  accounts: [],
  values: {},
  problems: {},
  choices: {},
  runOnSave: false,
  running: false,
  requests: [],
  console: [],
  history: [],
  chosen: [],
  tab: "result",
  view: "table",
  filter: "",
};

/** `runNow` and `saved` ask for an action and change nothing here. */
export function receive(state: PanelState, message: ToPanel): PanelState {
  switch (message.type) {
    case "loading":
      return { ...state, title: `${message.pack} ▸ ${message.name}`, phase: state.runnable === undefined ? "loading" : state.phase };
    case "unavailable":
      return { ...state, phase: "unavailable", error: message.error };
    case "show": {
      const { error: _error, account: _account, ...rest } = state;
      const account = keepAccount(state.account, message);
      return {
        ...rest,
        phase: "ready",
        runnable: message.runnable,
        target: message.target,
        accountRequirement: message.accountRequirement,
        accounts: message.accounts,
        ...(account === undefined ? {} : { account }),
        values: { ...suggestedValues(message.runnable), ...state.values },
        choices: {},
      };
    }
    case "accounts": {
      const { account: _account, ...rest } = state;
      const account = keepAccount(state.account, message);
      return { ...rest, accounts: message.accounts, choices: {}, ...(account === undefined ? {} : { account }) };
    }
    case "started": {
      const { report: _report, rows: _rows, row: _row, recalled: _recalled, ...rest } = state;
      return { ...rest, running: true, requests: [], console: [], filter: "" };
    }
    case "request":
      return { ...state, requests: [...state.requests, message.request] };
    case "console":
      return { ...state, console: [...state.console, message.entry] };
    case "rows":
      return { ...state, rows: message.count };
    case "finished":
      return {
        ...withReport(state, message.report),
        running: false,
        // Whoever watches the requests goes on doing so, but an error is not missed.
        ...(message.report.outcome.status === "failed" ? { tab: "result", ...fieldProblem(state, message.report) } : {}),
      };
    case "recalled":
      // A run that is under way is not covered by an old one.
      return state.running ? state : { ...withReport(state, message.report), recalled: message.id, tab: "result", filter: "" };
    case "history": {
      const known = new Set(message.entries.map(({ id }) => id));
      return { ...state, history: message.entries, chosen: state.chosen.filter((id) => known.has(id)) };
    }
    case "choices": {
      // An answer to what was typed before is of no use.
      if (state.choices[message.field]?.search !== message.search) return state;
      const answer: Choices = {
        search: message.search,
        state: "known",
        choices: message.choices,
        ...(message.problem === undefined ? {} : { problem: message.problem }),
      };
      return { ...state, choices: { ...state.choices, [message.field]: answer } };
    }
    case "runNow":
    case "saved":
      return state;
  }
}

/** What is wrong with a parameter is said at its field too. */
function fieldProblem(state: PanelState, { field, outcome }: RunReport): Partial<PanelState> {
  if (field === undefined || outcome.status !== "failed") return {};
  return { problems: { ...state.problems, [field]: outcome.error.message } };
}

function withReport(state: PanelState, report: RunReport): PanelState {
  const { row: _row, order: _order, recalled: _recalled, ...rest } = state;
  return { ...rest, report, requests: report.requests, console: report.console };
}

function keepAccount(current: string | undefined, message: ToPanel & { type: "show" | "accounts" }): string | undefined {
  return message.accounts.some(({ id }) => id === current) ? current : message.selectedAccount;
}

function suggestedValues(runnable: Runnable): FormValues {
  const values: Record<string, string> = {};
  for (const { name, suggestedValue } of runnable.definition.parameters) {
    if (suggestedValue !== undefined && suggestedValue !== null)
      values[name] = typeof suggestedValue === "string" ? suggestedValue : JSON.stringify(suggestedValue);
  }
  return values;
}
