// The input and the result of a run, shared by the pack process, the platform, the panel and the command line.
// Invariant: nothing here ever holds a credential; requests and responses are masked before they become one of these.
import type { McpContent, McpTarget } from "./mcp.ts";
import type { NextStep } from "./next-step.ts";
import type { UploadVerdict } from "./verdict.ts";

export type AuthScope = "user" | "system";

/** The function that the pack process executes. */
export type RunTarget =
  | { readonly kind: "formula"; readonly name: string }
  /**
   * `schema` is the schema of a dynamic table, from getSchema. `continuation` starts in the middle. `previousCompletion` is the completion
   * of an earlier run (SyncSummary.completion): the table then returns only the changes since.
   */
  | {
      readonly kind: "syncTable";
      readonly name: string;
      readonly dynamicUrl?: string;
      readonly schema?: unknown;
      readonly continuation?: unknown;
      readonly previousCompletion?: unknown;
    }
  /** Validates the parameters of a table before it is read (`validateParameters`). */
  | { readonly kind: "validateParameters"; readonly name: string; readonly dynamicUrl?: string }
  /** Two-way sync: calls `executeUpdate` with the rows that a person edited. */
  | {
      readonly kind: "update";
      readonly name: string;
      readonly dynamicUrl?: string;
      readonly schema?: unknown;
      readonly updates: readonly RowUpdate[];
    }
  /** A table's own functions: its name, its columns, and the URLs that it supports. */
  | {
      readonly kind: "table";
      readonly name: string;
      readonly function: TableFunction;
      readonly dynamicUrl?: string;
      /** The folder to list, for listDynamicUrls; the typed text, for searchDynamicUrls. */
      readonly search?: string;
    }
  /** The options of a table's property (`options` in its schema). */
  | {
      readonly kind: "propertyOptions";
      readonly table: string;
      readonly property: string;
      readonly search: string;
      /** The other properties of the row, with the names that the table's rows use. */
      readonly values: Readonly<Record<string, unknown>>;
      readonly dynamicUrl?: string;
      readonly schema?: unknown;
    }
  | { readonly kind: "authentication"; readonly scope: AuthScope; readonly function: AuthenticationFunction }
  | {
      readonly kind: "autocomplete";
      readonly formula: string;
      readonly ofSyncTable?: boolean;
      readonly parameter: string;
      readonly search: string;
      /** The values of the other parameters by name; only those that are filled in. */
      readonly values?: Readonly<Record<string, ParameterValue>>;
      readonly dynamicUrl?: string;
    };

export const TABLE_FUNCTIONS = ["listDynamicUrls", "searchDynamicUrls", "getName", "getDisplayUrl", "getSchema"] as const;
export type TableFunction = (typeof TABLE_FUNCTIONS)[number];

/** One edited row; its keys are those of the table's rows. */
export interface RowUpdate {
  readonly previousValue: Readonly<Record<string, unknown>>;
  readonly newValue: Readonly<Record<string, unknown>>;
  readonly updatedFields: readonly string[];
}

/** The result of `executeUpdate` for one row. Results are in the order of the updates. */
export type RowUpdateResult =
  | { readonly outcome: "success"; readonly finalValue: unknown }
  | { readonly outcome: "error"; readonly error: { readonly name: string; readonly message: string } };

type AuthenticationFunction =
  | { readonly name: "getConnectionName" }
  | { readonly name: "getConnectionUserId" }
  /** `step` is the name of the SetEndpoint step. */
  | { readonly name: "getOptions"; readonly step: string; readonly search?: string };

/** The Packs SDK's InvocationSource: a document, or the assistant (Superhuman Go). */
export type InvocationSource = "Doc" | "Go";

/** The parts of the execution context that the host decides. The pack process adds fetcher, logger and blob storage. */
export interface RunContext {
  /** Unique for each execution (auth-spec 2.5). The placeholders of Custom authentication contain it. */
  readonly invocationToken: string;
  readonly endpoint?: string;
  readonly timezone: string;
  readonly invocationLocation: { readonly protocolAndHost: string; readonly source: InvocationSource };
}

/**
 * A parameter value as JSON. A date is `{ "$date": "<ISO 8601>" }`, which keeps its type across the boundary. In the input of a run, a date
 * without a time zone is in the run's time zone. A list of dates may be `{ "$range": "last_30_days" }` there.
 */
export type ParameterValue = unknown;

/** Milliseconds since the epoch. */
export type Timestamp = number;

export interface ConsoleEntry {
  readonly time: Timestamp;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
}

/** A place where the platform inserted a credential; the request list marks it. */
export interface AppliedCredential {
  /** The part of the request that carries the credential, such as `Authorization`, `?api_key`, `body {{token}}`. */
  readonly carrier: string;
  readonly host: string;
  /** The prefix, if the credential begins with it too, so that it was sent twice. */
  readonly repeats?: string;
}

/** One hop of one request, masked. */
export interface RequestTrace {
  readonly id: number;
  /** The ID of the request that redirected to this hop. */
  readonly redirectedFrom?: number;
  readonly method: string;
  /** The method of an MCP message, such as `tools/call`; only for MCP requests. */
  readonly message?: string;
  /** The absolute URL that the pack requested, masked; never the sandbox's own address. */
  readonly url: string;
  readonly startedAt: Timestamp;
  /** Milliseconds until the body was complete. */
  readonly duration?: number;
  readonly status?: number;
  /** Bytes after decompression. */
  readonly size?: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The beginning of the body, at most 64 KiB of text. Binary bodies are described instead. */
  readonly responseBody?: string;
  readonly credentials: readonly AppliedCredential[];
  /** True if the sandbox responded. */
  readonly sandbox?: boolean;
  /** Set if the sandbox had no response, and returned the request itself or a sample. */
  readonly echoed?: EchoedRequest;
  /** True if the response came from the fetch cache. */
  readonly cached?: boolean;
  /** True if the response of an identical, concurrent request served this one too. */
  readonly merged?: boolean;
  /** Why there is no response, or why it was not passed on. */
  readonly failureReason?: string;
  /** A suggestion for the author, with `failureReason`. */
  readonly hint?: string;
  /** What to do next, after the hint or after the last of the warnings. */
  readonly nextStep?: NextStep;
  /**
   * "blocked": the policy stopped the request. "notSent": the name, the connection or the certificate failed, so nothing was sent.
   * "failed": the request failed after it was sent.
   */
  readonly failure?: "blocked" | "notSent" | "failed";
  readonly warnings: readonly string[];
  /** True if a proxy resolved the host, so that its address was not checked. */
  readonly throughProxy?: boolean;
  /** The diagnosis behind the last of the warnings, or behind the hint. */
  readonly diagnosis?: TraceDiagnosis;
  /** True if the request disables the account's authentication. */
  readonly disablesAuthentication?: boolean;
  /** The line of the pack that made the request. */
  readonly calledFrom?: SourceLocation;
}

/** What a diagnosis says of one response. */
export interface TraceDiagnosis {
  /** The name of the diagnosis, for `pack-auth explain`. */
  readonly id: string;
  /** The field of the authentication to change. */
  readonly field?: string;
}

interface EchoedRequest {
  /** A text such as `No answer for GET /user/emails: echoed.` */
  readonly message: string;
  /** True if the sandbox returned a sample, built from the fields that the pack's code reads. */
  readonly isSample?: boolean;
  /** The fields of the echo that the pack read; set at the end of the run. */
  readonly fields?: readonly string[];
  /** True if the pack requested a binary response. */
  readonly binary?: boolean;
  /** The place of the request in the pack, followed by its callers. */
  readonly calls?: readonly SourceLocation[];
}

/** The parts of a response that the pack's source reads, as far as the analysis can follow them. */
export interface ResponseReads {
  readonly body?: ResponseShape;
  /** The only status that the code treats as success. */
  readonly status?: number;
}

/** A part of a response's body. */
export interface ResponseShape {
  readonly fields?: Readonly<Record<string, ResponseShape>>;
  /** The shape of each item, if this is a list. */
  readonly items?: ResponseShape;
  /** The value that the code looks for, or the value that ends its loop over pages. */
  readonly value?: boolean | string | number | null;
  /** The property of the result that receives this value. */
  readonly becomes?: string;
  /** The code returns this value unchanged: the result's schema describes its other fields. */
  readonly whole?: boolean;
  /** The code throws if this value is present. */
  readonly absent?: boolean;
  /** The type that the code expects; `date` is a value from which a date can be created. */
  readonly type?: "string" | "number" | "date";
}

/** A request that waits for its response, as the pack made it, masked. */
export interface RequestUnderWay {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  /** Milliseconds since the request began. */
  readonly time: number;
}

/** A position in a source file of the pack, zero-based as in LSP. */
export interface SourceLocation {
  /** Absolute path. */
  readonly path: string;
  readonly line: number;
  readonly character: number;
}

export interface StackFrame {
  readonly function?: string;
  readonly location?: SourceLocation;
  /** The frame as text, source-mapped. */
  readonly text: string;
}

/** An error for people to read. */
export interface ErrorReport {
  /** A code of PackAuthError, or the name of the error that the pack threw. */
  readonly code: string;
  readonly message: string;
  /** What to do next, if known. */
  readonly hint?: string;
  /** What to do next in the host, which has the words for it. They follow the hint. */
  readonly nextStep?: NextStep;
  readonly stack?: readonly StackFrame[];
  /** The path of the configuration's field that caused the error, such as `userAuthentication.tokenUrl`. */
  readonly configPath?: string;
  /** Whether the pack threw the error for its user (the Packs SDK's UserVisibleError). */
  readonly userVisible?: boolean;
  /** Whether the pack, a tool or another library wrote the message, and not Pack Auth. */
  readonly isForeign?: boolean;
  /** The name of the diagnosis that explains the error, for its page and for `pack-auth explain`. */
  readonly diagnosis?: string;
  /** The actions that can fix the error at once; each becomes a button. */
  readonly remedies?: readonly Remedy[];
}

/** An action that the host offers and carries out when a person presses its button. */
export type Remedy = { readonly label: string } & (
  | { readonly kind: "addNetworkDomain"; readonly host: string }
  /** Turns the named switches of the sandbox back on. */
  | { readonly kind: "resetSwitches"; readonly switches: readonly string[] }
  /** Installs the Packs SDK in a terminal, with the pack's package manager. */
  | { readonly kind: "installToolkit" }
  /** Allows requests to this machine in the editor's user settings. */
  | { readonly kind: "allowLoopback" }
  /** Signs in to the account again for these scopes, and repeats the run. */
  | { readonly kind: "grantAccess"; readonly account: string; readonly scopes: readonly string[] }
);

/** A remedy that works without a run. Access is granted only from a run. */
export type SimpleRemedy = Exclude<Remedy, { readonly kind: "grantAccess" }>;

/** A difference from the platform: code that works here, but fails or behaves differently after upload. */
export interface PlatformDifference {
  readonly message: string;
  /** Set if the difference decides what becomes of the pack. */
  readonly verdict?: UploadVerdict;
  readonly location?: SourceLocation;
  /** The status of a response that the pack swallowed. */
  readonly swallowed?: 401 | 403;
  /** A request was unanswered when the formula returned. */
  readonly unawaited?: true;
}

/** A value of a result that does not match its resultType or schema. The platform drops or refuses such values. */
export interface ResultWarning {
  /** A path such as `[3].dueDate`; empty for the whole result. */
  readonly path: string;
  readonly message: string;
  /** A property of the schema that stayed empty, and the key that its value had in the response. */
  readonly lostField?: { readonly property: string; readonly key: string };
}

/** The result of a sync table apart from its rows. */
export interface SyncSummary {
  readonly pages: number;
  /** The rows that the pack reported as deleted: the values of their ID properties. */
  readonly deleted: readonly unknown[];
  /** True if the limit was reached before the last row. */
  readonly limitReached: boolean;
  /** The number of rows without an ID of their own, which the platform drops or merges. */
  readonly rowsWithoutOwnId: number;
  /** The completion of the last page, for the next incremental sync; masked. */
  readonly completion?: unknown;
}

export type RunOutcome =
  | { readonly status: "succeeded"; readonly value: unknown; readonly rows?: number }
  | { readonly status: "failed"; readonly error: ErrorReport }
  | { readonly status: "cancelled"; readonly rows?: number; readonly value?: unknown };

export interface RunReport {
  readonly target: RunTarget | McpTarget;
  readonly startedAt: Timestamp;
  /** Milliseconds. */
  readonly duration: number;
  readonly outcome: RunOutcome;
  readonly requests: readonly RequestTrace[];
  readonly console: readonly ConsoleEntry[];
  readonly platformDifferences: readonly PlatformDifference[];
  /** At most 100. */
  readonly warnings?: readonly ResultWarning[];
  /** The normalised schema of the value: its property names are those of the rows. */
  readonly schema?: unknown;
  readonly sync?: SyncSummary;
  /** The content that an MCP tool returned, part by part. The outcome's value is made from it. */
  readonly content?: readonly McpContent[];
  /** The parameter that caused a failure with the code `invalid-parameter`. */
  readonly field?: string;
}
