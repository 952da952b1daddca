// The world in which a run takes place: the pack, the network, the account, and the limits.
import type { McpTool } from "../../protocol/mcp.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import type { Fetch } from "../host.ts";
import { type LookUp, lookUp } from "../network/look-up.ts";
import type { DebugOptions, Pack } from "../process/pack.ts";
import { TIME_LIMIT } from "../process/process-limits.ts";
import { createFetchCache, type FetchCache } from "../requests/fetch-cache.ts";
import type { Permit } from "../requests/permit.ts";
import type { Intercept } from "../requests/send-once.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";

export interface RunWorld {
  readonly pack: Pack;
  readonly fetch: Fetch;
  readonly account?: RunAccount;
  /** The sandbox to which all requests go: the account's, or one without an account. */
  readonly sandboxOrigin?: string;
  readonly allowLoopback: boolean;
  /** Whether a proxy resolves host names, so that their addresses cannot be checked here. */
  readonly behindProxy: boolean;
  readonly lookup: LookUp;
  /** Milliseconds for one execution. */
  readonly timeLimit: number;
  readonly signal: AbortSignal;
  /** Masks whatever leaves the world. A caller may add secrets besides the account's. */
  readonly redactor: Redactor;
  /** A cache of responses that outlives the run; by default each run has its own. */
  readonly fetchCache?: FetchCache;
  /** Decides whether an MCP tool may be called with a real account if, according to its server, the tool may change data. */
  mayCall(tool: Pick<McpTool, "name" | "title">): Promise<boolean>;
  /** Permits each request that carries the account's credential; see Permit. Absent if a person started the run. */
  readonly permit?: Permit;
  /** Makes the run wait for a debugger; see DebugOptions. */
  readonly debug?: DebugOptions;
  /** Intercepts each request of the pack before it reaches the network. */
  readonly intercept?: Intercept;
}

/** A world with what the executions of one run share. */
export interface OpenWorld extends RunWorld {
  readonly fetchCache: FetchCache;
  /** Identifies the process; see PackExecuteOptions.run. */
  readonly process: object;
  /** The numbers of the next trace and of the next request. */
  readonly numbers: { trace: number; sending: number };
}

export type WorldOptions = Partial<Omit<RunWorld, "pack" | "fetch">>;

/** Returns a world. Its defaults allow and limit as the platform does. */
export function worldOf(pack: Pack, fetch: Fetch, options: WorldOptions = {}): RunWorld {
  const sandboxOrigin = options.account?.sandboxOrigin ?? options.sandboxOrigin;
  return {
    allowLoopback: false,
    behindProxy: false,
    lookup: lookUp,
    timeLimit: TIME_LIMIT,
    signal: new AbortController().signal,
    redactor: createRedactor(),
    mayCall: async () => true,
    ...options,
    pack,
    fetch,
    ...(sandboxOrigin === undefined ? {} : { sandboxOrigin }),
  };
}

/** Does work in a process of its own, which ends with the work. */
export async function inProcess<T>(world: RunWorld, work: (openWorld: OpenWorld) => Promise<T>): Promise<T> {
  const process = {};
  try {
    return await work({ fetchCache: createFetchCache(), ...world, process, numbers: { trace: 1, sending: 1 } });
  } finally {
    world.pack.finish(process);
  }
}
