// The panel's state, and how each message of the host changes it. Pure.
import type { Runnable, ToPanel } from "../../protocol/panel.ts";
import type { ConsoleEntry, ErrorReport, RequestTrace, RunReport } from "../../protocol/run.ts";

export type Tab = "result" | "requests" | "console" | "parity";
export type ResultView = "table" | "json" | "raw";

export interface PanelState {
  readonly title: string;
  readonly phase: "loading" | "ready" | "unavailable";
  readonly runnable?: Runnable;
  readonly accountRequirement: "none" | "optional" | "required";
  readonly accounts: readonly {
    readonly id: string;
    readonly label: string;
    readonly sandbox: boolean;
    readonly state: "ready" | "signInAgain";
  }[];
  readonly account?: string;
  readonly values: Readonly<Record<string, string>>;
  readonly running: boolean;
  readonly rows?: number;
  readonly requests: readonly RequestTrace[];
  readonly console: readonly ConsoleEntry[];
  readonly report?: RunReport;
  readonly error?: ErrorReport;
  readonly tab: Tab;
  readonly view: ResultView;
  /** Name → what is wrong with its value. */
  readonly problems: Readonly<Record<string, string>>;
}

export const INITIAL: PanelState = {
  title: "",
  phase: "loading",
  accountRequirement: "none",
  accounts: [],
  values: {},
  running: false,
  requests: [],
  console: [],
  tab: "result",
  view: "table",
  problems: {},
};

export function receive(state: PanelState, message: ToPanel): PanelState {
  switch (message.type) {
    case "loading":
      return { ...state, title: `${message.pack} ▸ ${message.name}`, phase: "loading" };
    case "unavailable":
      return { ...state, phase: "unavailable", error: message.error };
    case "show": {
      const { error: _error, ...rest } = state;
      return {
        ...rest,
        phase: "ready",
        runnable: message.runnable,
        accountRequirement: message.accountRequirement,
        accounts: message.accounts,
        ...(message.selectedAccount === undefined ? {} : { account: message.selectedAccount }),
        values: { ...suggestedValues(message.runnable), ...state.values },
      };
    }
    case "accounts": {
      const kept = message.accounts.some((account) => account.id === state.account) ? state.account : message.selectedAccount;
      const { account: _account, ...rest } = state;
      return { ...rest, accounts: message.accounts, ...(kept === undefined ? {} : { account: kept }) };
    }
    case "started": {
      const { report: _report, rows: _rows, ...rest } = state;
      return { ...rest, running: true, requests: [], console: [] };
    }
    case "request":
      return { ...state, requests: [...state.requests, message.request] };
    case "console":
      return { ...state, console: [...state.console, message.entry] };
    case "rows":
      return { ...state, rows: message.count };
    case "finished":
      return { ...state, running: false, report: message.report, requests: message.report.requests, console: message.report.console };
  }
}

function suggestedValues(runnable: Runnable): Record<string, string> {
  const values: Record<string, string> = {};
  for (const parameter of runnable.definition.parameters) {
    const { suggestedValue } = parameter;
    if (suggestedValue !== undefined && suggestedValue !== null)
      values[parameter.name] = typeof suggestedValue === "string" ? suggestedValue : JSON.stringify(suggestedValue);
  }
  return values;
}
