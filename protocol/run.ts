// What a run is asked to do and what it gives back: shared by the pack process, the platform, the panel and the command line.
// Invariant: nothing here ever holds a credential; requests and responses are masked before they become one of these.
import type { McpContent, McpTarget } from "./mcp.ts";

export type AuthScope = "user" | "system";

/** What the pack process is asked to execute. */
export type RunTarget =
  | { readonly kind: "formula"; readonly name: string }
  /**
   * `schema` is that of a dynamic table, as getSchema gave it; `continuation` starts in the middle; `previousCompletion` is what an earlier
   * run ended with (SyncSummary.completion): the table gives what is new since then.
   */
  | {
      readonly kind: "syncTable";
      readonly name: string;
      readonly dynamicUrl?: string;
      readonly schema?: unknown;
      readonly continuation?: unknown;
      readonly previousCompletion?: unknown;
    }
  /** What the table says of its parameters before it is read: `validateParameters`. */
  | { readonly kind: "validateParameters"; readonly name: string; readonly dynamicUrl?: string }
  /** Two-way sync: `executeUpdate` with the rows that a person edited. */
  | {
      readonly kind: "update";
      readonly name: string;
      readonly dynamicUrl?: string;
      readonly schema?: unknown;
      readonly updates: readonly RowUpdate[];
    }
  /** A table's own functions: what it is called, which columns it has, which URLs it can be made for. */
  | {
      readonly kind: "table";
      readonly name: string;
      readonly function: TableFunction;
      readonly dynamicUrl?: string;
      /** For listDynamicUrls: the folder to look into; for searchDynamicUrls: what was typed. */
      readonly search?: string;
    }
  /** The options of a property of a table (`options` in its schema). */
  | {
      readonly kind: "propertyOptions";
      readonly table: string;
      readonly property: string;
      readonly search: string;
      /** The other properties of the row, named as the table's rows have them. */
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
      /** Values of the other parameters, by name, as far as they are filled in. */
      readonly values?: Readonly<Record<string, ParameterValue>>;
      readonly dynamicUrl?: string;
    };

export type TableFunction = "listDynamicUrls" | "searchDynamicUrls" | "getName" | "getDisplayUrl" | "getSchema";

/** One edited row; keys as the table's rows have them. */
export interface RowUpdate {
  readonly previousValue: Readonly<Record<string, unknown>>;
  readonly newValue: Readonly<Record<string, unknown>>;
  readonly updatedFields: readonly string[];
}

/** What `executeUpdate` made of one row, in the order of the updates. */
export type RowUpdateResult =
  | { readonly outcome: "success"; readonly finalValue: unknown }
  | { readonly outcome: "error"; readonly error: { readonly name: string; readonly message: string } };

type AuthenticationFunction =
  | { readonly name: "getConnectionName" }
  | { readonly name: "getConnectionUserId" }
  /** `step` is the name of the SetEndpoint step. */
  | { readonly name: "getOptions"; readonly step: string; readonly search?: string };

/** The toolkit's InvocationSource: a document, or the assistant (Superhuman Go). */
export type InvocationSource = "Doc" | "Go";

/** The toolkit's InvocationErrorType. */
export const INVOCATION_ERRORS = ["Timeout", "ResponseTooLarge", "HttpStatusError", "RateLimitExceeded", "Unknown"] as const;

/** Why the assistant's last sync of a table failed; `statusCode` of an HttpStatusError. */
export interface InvocationError {
  readonly type: (typeof INVOCATION_ERRORS)[number];
  readonly statusCode?: number;
}

/** The parts of the execution context that the host decides; the process adds fetcher, logger and blob storage. */
export interface RunContext {
  /** Unique for each execution (auth-spec 2.5); Custom placeholders carry it. */
  readonly invocationToken: string;
  readonly endpoint?: string;
  readonly timezone: string;
  readonly invocationLocation: { readonly protocolAndHost: string; readonly source?: InvocationSource };
  /** Of a table that the assistant syncs once more. */
  readonly previousAttemptError?: InvocationError;
}

/**
 * A parameter value as JSON; a date is `{ "$date": "<ISO 8601>" }` so that it survives the boundary. On its way into a run a date may be
 * without a time zone, then it is one of the run's, and a list of dates may be `{ "$range": "last_30_days" }`.
 */
export type ParameterValue = unknown;

/** Milliseconds since the epoch. */
export type Timestamp = number;

export interface ConsoleEntry {
  readonly time: Timestamp;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
}

/** Where a credential went: the mark in the request list. */
export interface AppliedCredential {
  /** What carries it, such as `Authorization`, `?api_key`, `body {{token}}`. */
  readonly carrier: string;
  readonly host: string;
}

/** One hop of one request, masked. */
export interface RequestTrace {
  readonly id: number;
  /** The id of the request that this hop was redirected from. */
  readonly redirectedFrom?: number;
  readonly method: string;
  /** Of a request that speaks MCP: the method of its message, such as `tools/call`. */
  readonly message?: string;
  /** The logical URL: what the pack asked for, absolute, masked; never the sandbox's own address. */
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
  /** The body's beginning, at most 64 KiB of text; binary bodies are described, not shown. */
  readonly responseBody?: string;
  readonly credentials: readonly AppliedCredential[];
  /** True where the answer came from the sandbox. */
  readonly sandbox?: boolean;
  /** The sandbox had no answer, and sent the request itself or a sample back. */
  readonly echoed?: EchoedRequest;
  /** True where the answer came from the fetch cache. */
  readonly cached?: boolean;
  /** True where an identical request was under way, and its answer served this one too. */
  readonly merged?: boolean;
  /** Why there is no answer, or why it was not passed on. */
  readonly failureReason?: string;
  /** With `refused`: what to try. */
  readonly hint?: string;
  /** With `refused`: stopped by the policy; never went out (its name, its connection or its certificate failed); or went out and failed. */
  readonly failure?: "blocked" | "notSent" | "failed";
  readonly warnings: readonly string[];
  /** A proxy resolved the name: where it leads was not checked. */
  readonly throughProxy?: boolean;
  /** The field of the authentication that the last warning is about. */
  readonly blames?: string;
  /** The line of the pack that made the request. */
  readonly calledFrom?: SourceLocation;
}

interface EchoedRequest {
  /** Such as `No answer for GET /user/emails: echoed.` */
  readonly message: string;
  /** True where a sample answer was sent, made from what the pack's code reads. */
  readonly isSample?: boolean;
  /** What the pack looked for in the echo, once the run is over. */
  readonly fields?: readonly string[];
  /** True where the pack asked for bytes. */
  readonly binary?: boolean;
  /** Where the pack made the request, then who called that. */
  readonly calls?: readonly SourceLocation[];
}

/** What the pack's source reads of an answer, as far as it can be followed. */
export interface ResponseReads {
  readonly body?: ResponseShape;
  /** The one status that it takes for success. */
  readonly status?: number;
}

/** A part of an answer's body. */
export interface ResponseShape {
  readonly fields?: Readonly<Record<string, ResponseShape>>;
  /** Of a list: of each item. */
  readonly items?: ResponseShape;
  /** What the code looks for there, or ends with. */
  readonly value?: boolean | string | number | null;
  /** The property of the result that it is put into. */
  readonly becomes?: string;
  /** It is given on as it is: the result's schema tells what else it holds. */
  readonly whole?: boolean;
  /** The code throws where it is there. */
  readonly absent?: boolean;
  /** What the code takes it for: `date` is what a date can be made of. */
  readonly type?: "string" | "number" | "date";
}

/** A request that waits for its answer, as the pack asked for it, masked. */
export interface RequestUnderWay {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  /** Milliseconds that it has waited so far. */
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

/** An error as people read it. */
export interface ErrorReport {
  /** A code of PackAuthError, or the name of the error that the pack threw. */
  readonly code: string;
  /** What happened. */
  readonly message: string;
  /** What to do next, where that is known. */
  readonly hint?: string;
  readonly stack?: readonly StackFrame[];
  /** The field of the configuration that it comes from, such as `userAuthentication.tokenUrl`. */
  readonly configPath?: string;
  /** Whether the pack threw it on purpose for its user (the toolkit's UserVisibleError). */
  readonly userVisible?: boolean;
  /** What can be done about it at once, a button each. */
  readonly remedies?: readonly Remedy[];
}

/** Made by the host, and carried out by it, where a person presses the button. */
export type Remedy = { readonly label: string } & (
  | { readonly kind: "addNetworkDomain"; readonly host: string }
  /** Of the sandbox, by name: they work again. */
  | { readonly kind: "resetSwitches"; readonly switches: readonly string[] }
  /** In a terminal, by the package manager that the pack is kept with. */
  | { readonly kind: "installToolkit" }
  /** Of the editor: requests to this machine are allowed, in its user settings. */
  | { readonly kind: "allowLoopback" }
  /** The account is signed in again for these scopes, and the run begins anew. */
  | { readonly kind: "grantAccess"; readonly account: string; readonly scopes: readonly string[] }
);

/** One that needs no run: more access is granted where the run is. */
export type SimpleRemedy = Exclude<Remedy, { readonly kind: "grantAccess" }>;

/** Something that works here and would fail, or differ, after upload. */
export interface PlatformDifference {
  readonly message: string;
  readonly location?: SourceLocation;
  /** The status of an answer that the pack swallowed. */
  readonly swallowed?: 401 | 403;
  /** A request had not been answered when the formula returned. */
  readonly unawaited?: true;
}

/** Where a result is not what its resultType or schema says; the platform drops or refuses such values. */
export interface ResultWarning {
  /** Such as `[3].dueDate`; empty for the result as a whole. */
  readonly path: string;
  readonly message: string;
  /** A property of the schema that stayed empty, and the key under which its value came. */
  readonly lostField?: { readonly property: string; readonly key: string };
}

/** What a sync table gave beside its rows. */
export interface SyncSummary {
  readonly pages: number;
  /** Rows that the pack reported as deleted: the values of their id properties. */
  readonly deleted: readonly unknown[];
  /** True where more rows were to come when the limit was reached. */
  readonly limitReached: boolean;
  /** What the last page gave for the next, incremental sync; masked. */
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
  /** The schema of the value, normalised: property names as the rows have them. */
  readonly schema?: unknown;
  readonly sync?: SyncSummary;
  /** What an MCP tool gave, part by part; the outcome's value is made of it. */
  readonly content?: readonly McpContent[];
  /** The parameter that a failure with the code `invalid-parameter` is about. */
  readonly field?: string;
}
