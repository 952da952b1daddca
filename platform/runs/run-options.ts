// The options of a run: the account with its credential, the limits, and the callbacks that report what happens.
import type { McpTool } from "../../protocol/mcp.ts";
import type {
  ConsoleEntry,
  InvocationError,
  InvocationSource,
  PlatformDifference,
  RequestTrace,
  SourceLocation,
} from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import type { Fetch } from "../host.ts";
import type { DebugOptions } from "../process/pack.ts";
import type { FetchCache } from "../requests/fetch-cache.ts";
import type { RequestRecorder } from "../requests/request-recorder.ts";
import type { Intercept } from "../requests/send-once.ts";
import type { Redactor } from "../secrets/redact.ts";

/** A request that was answered, and the line of the pack that sent it. */
export interface ResponseTrace {
  readonly status: number;
  readonly method: string;
  /** Masked. */
  readonly url: string;
  readonly location?: SourceLocation;
}

/** A request as the pack sent it to the fetcher. */
export interface Sending {
  readonly id: number;
  readonly method: string;
  readonly url: string;
}

export interface RunOptions {
  readonly fetch: Fetch;
  readonly account?: RunAccount;
  /** The sandbox to which all requests go, even if there is no account. */
  readonly sandboxOrigin?: string;
  /** IANA name; this machine's own by default. */
  readonly timezone?: string;
  /** The caller of the pack; a document by default. */
  readonly source?: InvocationSource;
  /** For tables only: the error of the first try, if the sync is the assistant's second. */
  readonly previousAttemptError?: InvocationError;
  readonly allowLoopback?: boolean;
  /** Milliseconds for one execution; 60,000 by default. */
  readonly timeLimit?: number;
  /** Rows of a sync table; 1,000 by default, 10,000 at most. */
  readonly rowLimit?: number;
  readonly signal?: AbortSignal;
  /** A redactor that masks more secrets than the account's. */
  readonly redactor?: Redactor;
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  /** Whether a proxy resolves host names, so that their addresses cannot be checked here. */
  readonly behindProxy?: boolean;
  /** A cache of responses that outlives the run; by default each run has its own. */
  readonly fetchCache?: FetchCache;
  /**
   * Decides whether an MCP tool may be called with a real account if, according to its server, the tool may change data. Without this
   * function every tool may be called.
   */
  mayCall?(tool: Pick<McpTool, "name" | "title">): Promise<boolean>;
  /** Makes the run wait for a debugger; see DebugOptions. */
  readonly debug?: DebugOptions;
  /** Intercepts each request of the pack before it reaches the network. */
  readonly intercept?: Intercept;
  /** Records requests and responses in full. */
  readonly recorder?: RequestRecorder;
  onRequest?(trace: RequestTrace): void;
  /**
   * Reports that a request begins to wait for its response; `onSent` reports the end. `id` is the same in both, but is not the id of a
   * trace. Masked.
   */
  onSending?(request: Sending): void;
  onSent?(id: number): void;
  onConsole?(entry: ConsoleEntry): void;
  onRows?(count: number): void;
  onPlatformDifference?(note: PlatformDifference): void;
  onRefreshFailed?(error: unknown): void;
  onResponse?(response: ResponseTrace): void;
  /** Reports a field that the pack read in an echo of the sandbox; masked. */
  onEchoRead?(request: RequestTrace["id"], field: string): void;
  /** The numbers of the next trace and of the next request. All executions of a run share them. */
  readonly traceIds?: { next: number; sending: number };
  /** Executions with the same object share a process; see PackExecuteOptions.run. */
  readonly run?: object;
}
