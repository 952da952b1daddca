// Extension host ↔ formula panel (webview). Invariant: the panel never gets a credential; account entries are labels and ids, and
// everything else went through the run's redactor.
import type { AccountState } from "./account-state.ts";
import type {
  ConnectionRequirement,
  FormulaDefinition,
  ParameterDefinition,
  RunnableDefinition,
  SyncTableDefinition,
} from "./definition.ts";
import type { DrilledDay } from "./drill.ts";
import type { AccountRun } from "./matrix.ts";
import type { McpTool } from "./mcp.ts";
import type {
  AuthScope,
  ConsoleEntry,
  ErrorReport,
  Remedy,
  RequestTrace,
  RequestUnderWay,
  RowUpdate,
  RunReport,
  SourceLocation,
  Timestamp,
} from "./run.ts";
import type { ScopeRow } from "./scopes.ts";

export interface PanelAccount {
  readonly id: string;
  readonly label: string;
  readonly sandbox: boolean;
  readonly state: AccountState;
  /** Of OAuth2. */
  readonly scopes?: readonly ScopeRow[];
}

/** The accounts that a run can take. */
export interface PanelAccounts {
  readonly accounts: readonly PanelAccount[];
  readonly selectedAccount?: string;
  /** Only where the pack has system authentication: its account, or null while there is none. */
  readonly systemAccount?: PanelAccount | null;
}

/** The formula, sync table or MCP server that the panel shows. */
export type Runnable =
  | { readonly kind: "formula"; readonly definition: FormulaDefinition }
  | { readonly kind: "syncTable"; readonly definition: SyncTableDefinition }
  | { readonly kind: "mcpServer"; readonly definition: RunnableDefinition; readonly tools: readonly ToolForm[] };

/** Where what a panel shows is found. */
export interface RunnableArgument {
  readonly entry: string;
  readonly kind: Runnable["kind"];
  readonly name: string;
}

/** A tool of the server, as it was listed last, with the fields of its form. */
export interface ToolForm extends Pick<McpTool, "name" | "title" | "description" | "annotations"> {
  readonly parameters: readonly ParameterDefinition[];
}

/** One entry of a list that helps to fill in a field. */
export interface Choice {
  readonly display: string;
  readonly value: string;
}

/** A field's name and its text: what the form holds, before it is read by the parameter's type. */
export type FormValues = Readonly<Record<string, string>>;

/** The text of a parameter's field; `key` is that of the form's values. */
export interface FieldText {
  readonly key: string;
  readonly text: string;
}

/** The form as it was when a run began, so that it can be run again. */
export interface RunInput {
  readonly account?: string;
  readonly values: FormValues;
}

/** What the form comes to, many times over. */
export type AllAccountsRun =
  | { readonly kind: "allAccounts"; readonly rows: readonly AccountRun[] }
  | { readonly kind: "drill"; readonly rows: readonly DrilledDay[] };

export type RunMode = "run" | "debug";

/** What the form holds, as the host reads it. */
export interface FilledForm {
  readonly account?: string;
  /** In the order of the parameters, those that repeat behind the others. */
  readonly fields: readonly FieldText[];
  /** Sync tables only. */
  readonly rowLimit?: number;
  readonly dynamicUrl?: string;
  /** As the assistant calls it, and not as a document does. */
  readonly asAssistant?: boolean;
}

/** A run of the past; its report is given when it is asked for. */
export interface HistoryEntry {
  readonly id: string;
  readonly name?: string;
  readonly pinned: boolean;
  readonly startedAt: Timestamp;
  /** Milliseconds. */
  readonly duration: number;
  readonly status: "succeeded" | "failed" | "cancelled";
  readonly rows?: number;
  /** The label of the account, as it was then. */
  readonly account?: string;
  readonly input: RunInput;
  /** False where the report was too large to be kept. */
  readonly hasReport: boolean;
}

/** Host → panel. */
export type ToPanel =
  /** What is shown from now on; of another formula than before, the panel is that one's. */
  | {
      readonly type: "loading";
      readonly pack: string;
      readonly target: RunnableArgument;
      /** As it was left, in this panel or another. */
      readonly form?: LeftForm;
    }
  | ({
      readonly type: "show";
      readonly runnable: Runnable;
      /** None: no account field; optional: may stay empty; required. A pack without user authentication gives "none". */
      readonly accountRequirement: ConnectionRequirement;
      readonly target: RunnableArgument;
    } & PanelAccounts)
  /** `connected` was connected from this panel just now: it is what the next run takes. */
  | ({ readonly type: "accounts"; readonly connected?: string } & PanelAccounts)
  | { readonly type: "started" }
  /** The debugger holds the run at a breakpoint or a step, or lets it go on. */
  | { readonly type: "paused"; readonly isPaused: boolean }
  | { readonly type: "request"; readonly request: RequestTrace }
  /** All that wait for their answers just now; told now and then. */
  | { readonly type: "underWay"; readonly requests: readonly RequestUnderWay[] }
  | { readonly type: "console"; readonly entry: ConsoleEntry }
  | { readonly type: "rows"; readonly count: number }
  /** What came of each account or bad day so far; over, or stopped, with the last one. */
  | { readonly type: "surveyed"; readonly allAccountsRun: AllAccountsRun; readonly isOver: boolean }
  /** The tools of the MCP server that is shown, just listed. */
  | { readonly type: "tools"; readonly tools: readonly ToolForm[] }
  /** The run that was asked for did not begin; what is wrong in the form stands at its fields. */
  | { readonly type: "notStarted"; readonly problems: Readonly<Record<string, string>> }
  /** `id` is that of its entry in the history; `values` are the masked ones, where somebody typed a credential into a field. */
  | { readonly type: "finished"; readonly report: RunReport; readonly id?: string; readonly values?: FormValues }
  /** A report of the past. */
  | { readonly type: "recalled"; readonly id: string; readonly report: RunReport }
  | { readonly type: "history"; readonly entries: readonly HistoryEntry[] }
  /** The answer to `choices`; `search` tells which. */
  | {
      readonly type: "choices";
      readonly field: string;
      readonly search: string;
      readonly choices: readonly Choice[];
      readonly problem?: string;
    }
  /** A source of the pack was saved. */
  | { readonly type: "saved" }
  /** The lens and the palette: runs or debugs what the form holds, where nothing is missing in it. */
  | { readonly type: "startNow"; readonly how: RunMode }
  /** The pack cannot be built just now, or has lost what is shown. */
  | { readonly type: "unavailable"; readonly error: ErrorReport };

/** Panel → host. */
export type FromPanel =
  | { readonly type: "ready" }
  | (FilledForm & {
      readonly type: RunMode;
      readonly values: FormValues;
      /** MCP servers only: the tool to be called; without one the tools are listed. */
      readonly tool?: string;
      /** Where the pack has no authentication, and so no account of the sandbox: everything goes to the sandbox. */
      readonly atSandbox?: boolean;
      /** Two-way tables: writes this row back instead of reading the table. */
      readonly update?: RowUpdate;
      /** Tables that know what is new: reads what is new since the result that is shown, with its completion. */
      readonly sinceShown?: boolean;
    })
  /** The form with every account, or on the bad days of the sandbox. */
  | (Pick<FilledForm, "fields" | "dynamicUrl"> & { readonly type: AllAccountsRun["kind"] })
  /** Runs the form once, recorded, and writes that as a test. */
  | (FilledForm & { readonly type: "saveTest" })
  | { readonly type: "cancel" }
  /** The form of the formula that the panel no longer shows. */
  | { readonly type: "left"; readonly target: RunnableArgument; readonly form: LeftForm }
  /** A panel that is kept is no other formula's. */
  | { readonly type: "keepPanel"; readonly isPinned: boolean }
  /** A new account, or the one that is named signed in again. */
  | { readonly type: "connect"; readonly scope: AuthScope; readonly account?: string }
  /** Asks for what a field may hold: a parameter's autocomplete, the tables of a dynamic sync table, or a property of one of its rows. */
  | {
      readonly type: "choices";
      readonly field: string;
      readonly parameter?: string;
      readonly search: string;
      readonly account?: string;
      /** What the fields hold: some autocompletes depend on it. */
      readonly fields: readonly FieldText[];
      /** A property of a two-way table's row, the row as it is edited, and what the table is made for; values of such choices are JSON. */
      readonly property?: { readonly name: string; readonly row: Readonly<Record<string, unknown>>; readonly dynamicUrl?: string };
    }
  | { readonly type: "open"; readonly location: SourceLocation }
  | { readonly type: "openLink"; readonly url: string }
  | { readonly type: "openConfiguration"; readonly configPath: string }
  | { readonly type: "remedy"; readonly remedy: Remedy }
  | { readonly type: "openResult" }
  /** An answer in sandbox.json for a request of the report in view that had none; the request's id. */
  /** `isShown`: the answer is opened, so that it can be changed. */
  | { readonly type: "addAnswer"; readonly request: number; readonly isShown: boolean }
  /** Of the report in view, by its id: its answer becomes one of sandbox.json, or a schema. */
  | { readonly type: "useAnswer" | "makeSchema"; readonly request: number }
  | { readonly type: "copy"; readonly text: string; readonly what: string }
  | { readonly type: "save"; readonly name: string; readonly text: string }
  | { readonly type: "recall"; readonly id: string }
  | { readonly type: "pin"; readonly id: string; readonly pinned: boolean }
  | { readonly type: "rename"; readonly id: string }
  | { readonly type: "forget"; readonly id: string }
  | { readonly type: "compare"; readonly ids: readonly [string, string] };

export type ResultView = "table" | "preview" | "tree" | "json";

/** A form as the author left it. */
export interface FormMemory {
  readonly values: FormValues;
  readonly runOnSave: boolean;
  /** The id of the picked account; empty where a person picked none. */
  readonly account?: string;
  /** The entry of the history whose result is shown. */
  readonly shownRunId?: string;
}

/** One that may come back in another panel, in the same view. */
export interface LeftForm extends FormMemory {
  readonly view: ResultView;
}

/** What the webview keeps over a reload of the window. */
export interface PanelMemory extends FormMemory {
  readonly target: RunnableArgument;
  readonly isPinned?: boolean;
  /** The forms of other formulas that were shown here, by their key; the last ones last. */
  readonly otherForms?: Readonly<Record<string, FormMemory>>;
}
