// The messages between the extension host and the formula panel (webview).
// Invariant: the panel never gets a credential; account entries are labels and ids, and everything else went through the run's redactor.
import type { AccountState } from "./account-state.ts";
import type {
  ConnectionRequirement,
  FormulaDefinition,
  ParameterDefinition,
  RunnableDefinition,
  SyncTableDefinition,
} from "./definition.ts";
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
  /** The scopes of an OAuth2 account. */
  readonly scopes?: readonly ScopeRow[];
}

/** The accounts that a run can use. */
export interface PanelAccounts {
  readonly accounts: readonly PanelAccount[];
  readonly selectedAccount?: string;
  /** The account of the system authentication, or null if there is none yet. Absent if the pack has no system authentication. */
  readonly systemAccount?: PanelAccount | null;
}

/** The formula, sync table or MCP server that the panel shows. */
export type Runnable =
  | { readonly kind: "formula"; readonly definition: FormulaDefinition }
  | { readonly kind: "syncTable"; readonly definition: SyncTableDefinition }
  | { readonly kind: "mcpServer"; readonly definition: RunnableDefinition; readonly tools: readonly ToolForm[] };

/** Identifies the formula, sync table or MCP server that a panel shows. */
export interface RunnableArgument {
  readonly entry: string;
  readonly kind: Runnable["kind"];
  readonly name: string;
}

/** A tool of the MCP server, as the server last listed it, with the fields of its form. */
export interface ToolForm extends Pick<McpTool, "name" | "title" | "description" | "annotations"> {
  readonly parameters: readonly ParameterDefinition[];
}

/** One entry of a list of suggestions for a field. */
export interface Choice {
  readonly display: string;
  readonly value: string;
}

/** The text of each field by its name, before the text is parsed by the parameter's type. */
export type FormValues = Readonly<Record<string, string>>;

/** The text of a parameter's field; `key` is its key in the form's values. */
export interface FieldText {
  readonly key: string;
  readonly text: string;
}

/** The form's content at the start of a run, so that the run can be repeated. */
export interface RunInput {
  readonly account?: string;
  readonly values: FormValues;
}

export type RunMode = "run" | "debug";

/** The form's content as the host reads it. */
export interface FilledForm {
  readonly account?: string;
  /** The fields in the order of the parameters; repeating parameters come last. */
  readonly fields: readonly FieldText[];
  /** Sync tables only. */
  readonly rowLimit?: number;
  readonly dynamicUrl?: string;
  /** Runs as the assistant does, instead of as a document. */
  readonly asAssistant?: boolean;
}

/** A past run. The panel requests its report separately (`recall`). */
export interface HistoryEntry {
  readonly id: string;
  readonly name?: string;
  readonly pinned: boolean;
  readonly startedAt: Timestamp;
  /** Milliseconds. */
  readonly duration: number;
  readonly status: "succeeded" | "failed" | "cancelled";
  readonly rows?: number;
  /** The label that the account had at the time. */
  readonly account?: string;
  readonly input: RunInput;
  /** False if the report was too large to keep. */
  readonly hasReport: boolean;
}

/** Host → panel. */
export type ToPanel =
  /** The panel shows this target from now on. If the target is another formula, the panel changes to it. */
  | {
      readonly type: "loading";
      readonly pack: string;
      readonly target: RunnableArgument;
      /** The form as the author left it, in this panel or another. */
      readonly form?: LeftForm;
    }
  | ({
      readonly type: "show";
      readonly runnable: Runnable;
      /** "none": no account field; "optional": the field may stay empty. A pack without user authentication has "none". */
      readonly accountRequirement: ConnectionRequirement;
      readonly target: RunnableArgument;
    } & PanelAccounts)
  /** `connected` is the account that was just connected from this panel; the next run uses it. */
  | ({ readonly type: "accounts"; readonly connected?: string } & PanelAccounts)
  | { readonly type: "started" }
  /** Whether the debugger paused the run at a breakpoint or a step, or resumed it. */
  | { readonly type: "paused"; readonly isPaused: boolean }
  | { readonly type: "request"; readonly request: RequestTrace }
  /** All requests that currently wait for their responses; sent periodically. */
  | { readonly type: "underWay"; readonly requests: readonly RequestUnderWay[] }
  | { readonly type: "console"; readonly entry: ConsoleEntry }
  | { readonly type: "rows"; readonly count: number }
  /** The current tools of the MCP server that the panel shows. */
  | { readonly type: "tools"; readonly tools: readonly ToolForm[] }
  /** The requested run did not start. `problems` are the errors in the form, by field. */
  | { readonly type: "notStarted"; readonly problems: Readonly<Record<string, string>> }
  /** `id` is the run's entry in the history. `values` are the masked form values, if somebody typed a credential into a field. */
  | { readonly type: "finished"; readonly report: RunReport; readonly id?: string; readonly values?: FormValues }
  /** The report of a past run. */
  | { readonly type: "recalled"; readonly id: string; readonly report: RunReport }
  | { readonly type: "history"; readonly entries: readonly HistoryEntry[] }
  /** The response to `choices`; `search` identifies the request. */
  | {
      readonly type: "choices";
      readonly field: string;
      readonly search: string;
      readonly choices: readonly Choice[];
      readonly problem?: string;
    }
  /** A file of the pack changed, and the run in progress does not have the change. */
  | { readonly type: "saved" }
  /** The lens or the palette runs or debugs the form, if no value is missing. */
  | { readonly type: "startNow"; readonly how: RunMode }
  /** The pack cannot be built at the moment, or no longer contains the target. */
  | { readonly type: "unavailable"; readonly error: ErrorReport };

/** Panel → host. */
export type FromPanel =
  | { readonly type: "ready" }
  | (FilledForm & {
      readonly type: RunMode;
      readonly values: FormValues;
      /** The MCP tool to call; without it the run lists the tools. MCP servers only. */
      readonly tool?: string;
      /** Sends every request to the sandbox. For packs without authentication, which have no sandbox account. */
      readonly atSandbox?: boolean;
      /** Writes this row back instead of reading the table. Two-way tables only. */
      readonly update?: RowUpdate;
      /** Reads the changes since the result in view, with its completion. Only for tables with incremental sync. */
      readonly sinceShown?: boolean;
    })
  /** Runs the form once, records it, and writes the recording as a test. */
  | (FilledForm & { readonly type: "saveTest" })
  | { readonly type: "cancel" }
  /** The form of a formula that the panel no longer shows. */
  | { readonly type: "left"; readonly target: RunnableArgument; readonly form: LeftForm }
  /** A pinned panel does not change to another formula. */
  | { readonly type: "keepPanel"; readonly isPinned: boolean }
  /** Connects a new account, or signs in again to the account with this ID. */
  | { readonly type: "connect"; readonly scope: AuthScope; readonly account?: string }
  /** Requests suggestions for a field: a parameter's autocomplete, the tables of a dynamic sync table, or a property of one of its rows. */
  | {
      readonly type: "choices";
      readonly field: string;
      readonly parameter?: string;
      readonly search: string;
      readonly account?: string;
      /** The current fields, because some autocompletes depend on them. */
      readonly fields: readonly FieldText[];
      /** A property of a two-way table's row, the row as edited, and the dynamic URL of the table. The values of such choices are JSON. */
      readonly property?: { readonly name: string; readonly row: Readonly<Record<string, unknown>>; readonly dynamicUrl?: string };
    }
  | { readonly type: "open"; readonly location: SourceLocation }
  | { readonly type: "openLink"; readonly url: string }
  | { readonly type: "openConfiguration"; readonly configPath: string }
  /** Shows the page of a diagnosis. */
  | { readonly type: "explain"; readonly diagnosis: string }
  | { readonly type: "remedy"; readonly remedy: Remedy }
  | { readonly type: "openResult" }
  /**
   * Adds a response to sandbox.json for a request of the report in view that had none. `request` is its ID. If `isShown`, the editor opens
   * the response for changes.
   */
  /** `isShown`: the answer is opened, so that it can be changed. */
  | { readonly type: "addAnswer"; readonly request: number; readonly isShown: boolean }
  /** Turns the response of a request of the report in view into a response of sandbox.json, or into a schema. `request` is its ID. */
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
  /** The ID of the chosen account; empty if the author chose none. */
  readonly account?: string;
  /** The ID of the history entry whose result is shown. */
  readonly shownRunId?: string;
}

/** A form that may return in another panel, in the same view. */
export interface LeftForm extends FormMemory {
  readonly view: ResultView;
}

/** The state that the webview keeps when the window reloads. */
export interface PanelMemory extends FormMemory {
  readonly target: RunnableArgument;
  readonly isPinned?: boolean;
  /** The forms of other formulas that the panel showed, by their key; the latest come last. */
  readonly otherForms?: Readonly<Record<string, FormMemory>>;
}
