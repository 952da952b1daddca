// What a run is given: the account with its credential, the limits, and who hears of what happens.
import type { McpTool } from "../../protocol/mcp.ts";
import type {
  AuthScope,
  ConsoleEntry,
  InvocationError,
  InvocationSource,
  ParityNote,
  RequestTrace,
  SourceLocation,
} from "../../protocol/run.ts";
import type { ScopeUses } from "../../protocol/scopes.ts";
import type { Credential } from "../accounts/credential.ts";
import type { Fetch } from "../host.ts";
import type { DebugOptions } from "../process/pack.ts";
import type { Recorder } from "../recordings/recorder.ts";
import type { FetchCache } from "../requests/fetch-cache.ts";
import type { Intercept } from "../requests/send-once.ts";
import type { Redactor } from "../secrets/redact.ts";

/** An account as a run uses it. */
export interface RunAccount {
  readonly scope: AuthScope;
  /** The one that is good now: what was renewed for one request, the next one starts with. */
  readonly credential: Credential;
  /** Of a stored account. */
  readonly id?: string;
  /** The scopes that it has, where that is known. */
  readonly granted?: readonly string[];
  /** Counts what runs needed, where that is kept. */
  readonly countScopes?: (count: (uses: ScopeUses) => ScopeUses) => Promise<void>;
  /** Hears whether the API refused the credential at its last use, where that is kept. */
  readonly judged?: (refused: boolean) => Promise<void>;
  /** The sign-in that it comes from: stays over renewals. Absent where nothing is stored. */
  readonly signIn?: string;
  /** Its token was about to expire, and was renewed before the run. */
  readonly renewedEarly?: boolean;
  readonly endpoint?: string;
  readonly sandboxOrigin?: string;
  readonly refresh?: Refresh;
  /** Secrets that no request of the pack carries, such as the client's. */
  readonly otherSecrets?: () => Promise<readonly string[]>;
}

/**
 * Another credential in place of the one that was refused with 401, or undefined where there is none. However many requests were refused
 * with the same one, it is renewed once.
 */
export type Refresh = (refused: Credential) => Promise<Refreshed | undefined>;

interface Refreshed {
  readonly credential: Credential;
  /** False: it was there already when the refusal came. */
  readonly isNew: boolean;
}

/** A request that was answered, and where the pack made it. */
export interface Answered {
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
  readonly recorder?: Pick<Recorder, "begin" | "missed">;
  onRequest?(trace: RequestTrace): void;
  /** A request begins to wait for its answer, and ends to; `id` is the same in both, and is no trace's. Masked. */
  onSending?(request: Sending): void;
  onSent?(id: number): void;
  onConsole?(entry: ConsoleEntry): void;
  onRows?(count: number): void;
  onParity?(note: ParityNote): void;
  onRefreshFailed?(error: unknown): void;
  onAnswer?(answered: Answered): void;
  /** What the pack looked for in an echo of the sandbox; masked. */
  onEchoRead?(request: RequestTrace["id"], field: string): void;
  /** The numbers of the next trace and of the next request; executions of one run count on. */
  readonly traceIds?: { next: number; sending: number };
  /** Executions that share it share a process; see PackExecuteOptions.run. */
  readonly run?: object;
}
