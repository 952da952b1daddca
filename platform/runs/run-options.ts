// What a run is given: the account with its credential, the limits, and who hears of what happens.
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

/** A request that was answered, and where the pack made it. */
export interface ResponseTrace {
  readonly status: number;
  readonly method: string;
  /** Masked. */
  readonly url: string;
  readonly location?: SourceLocation;
}

/** A request as the pack asked for it. */
export interface Sending {
  readonly id: number;
  readonly method: string;
  readonly url: string;
}

export interface RunOptions {
  readonly fetch: Fetch;
  readonly account?: RunAccount;
  /** Everything goes to this sandbox, also where there is no account. */
  readonly sandboxOrigin?: string;
  /** IANA name; this machine's own by default. */
  readonly timezone?: string;
  /** What the pack is called by; a document by default. */
  readonly source?: InvocationSource;
  /** Tables alone: the sync is the assistant's second try after this. */
  readonly previousAttemptError?: InvocationError;
  readonly allowLoopback?: boolean;
  /** Milliseconds for one execution; 60,000 by default. */
  readonly timeLimit?: number;
  /** Rows of a sync table; 1,000 by default, 10,000 at most. */
  readonly rowLimit?: number;
  readonly signal?: AbortSignal;
  /** Knows further secrets than the account's. */
  readonly redactor?: Redactor;
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  /** A proxy resolves host names, so that their addresses cannot be checked here. */
  readonly behindProxy?: boolean;
  /** Responses that outlive the run; by default each run has its own. */
  readonly fetchCache?: FetchCache;
  /**
   * Whether an MCP tool may be called that may change something with a real account, as far as its server says; without it everything may.
   */
  mayCall?(tool: Pick<McpTool, "name" | "title">): Promise<boolean>;
  /** The run waits for a debugger; see DebugOptions. */
  readonly debug?: DebugOptions;
  /** Stands between each request of the pack and the network. */
  readonly intercept?: Intercept;
  /** Keeps what is sent and what comes, whole. */
  readonly recorder?: RequestRecorder;
  onRequest?(trace: RequestTrace): void;
  /** A request begins to wait for its answer, and ends to; `id` is the same in both, and is no trace's. Masked. */
  onSending?(request: Sending): void;
  onSent?(id: number): void;
  onConsole?(entry: ConsoleEntry): void;
  onRows?(count: number): void;
  onPlatformDifference?(note: PlatformDifference): void;
  onRefreshFailed?(error: unknown): void;
  onResponse?(response: ResponseTrace): void;
  /** What the pack looked for in an echo of the sandbox; masked. */
  onEchoRead?(request: RequestTrace["id"], field: string): void;
  /** The numbers of the next trace and of the next request; executions of one run count on. */
  readonly traceIds?: { next: number; sending: number };
  /** Executions that share it share a process; see PackExecuteOptions.run. */
  readonly run?: object;
}
