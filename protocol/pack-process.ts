// Host ↔ pack process. Everything crosses as one JSON string per message, in both directions, so that no object of one side
// is ever reachable from the other. Invariant: no message to the pack process carries a credential.
import type { PackDefinition } from "./definition.ts";
import type { ConsoleEntry, ParameterValue, RunContext, RunTarget } from "./run.ts";

/** Host → pack process. */
export type ToPackProcess =
  /** The toolkit, ahead of the pack: the same for every version of the pack. */
  | { readonly type: "prepare"; readonly code: string; readonly filename: string }
  | { readonly type: "load"; readonly code: string; readonly filename: string }
  | {
      readonly type: "execute";
      readonly id: number;
      readonly target: RunTarget;
      readonly parameters: readonly ParameterValue[];
      readonly context: RunContext;
      /** Nothing runs before a debugger has attached and set its breakpoints. */
      readonly waitForDebugger?: boolean;
    }
  | { readonly type: "fetched"; readonly fetchId: number; readonly response: FetchResponse }
  | { readonly type: "fetchFailed"; readonly fetchId: number; readonly error: FetchFailure }
  /** Answered by a pong as soon as pack code lets go of the process. */
  | { readonly type: "ping"; readonly id: number };

/** Pack process → host. */
export type FromPackProcess =
  | { readonly type: "ready"; readonly selfTest: SelfTestReport }
  | { readonly type: "prepared" }
  | { readonly type: "loaded"; readonly definition: PackDefinition }
  | { readonly type: "loadFailed"; readonly error: ThrownError }
  | {
      readonly type: "fetch";
      readonly executionId: number;
      readonly fetchId: number;
      readonly request: FetchRequest;
      /** The stack of the call, of the bundle. */
      readonly stack?: string;
    }
  | { readonly type: "storeBlob"; readonly executionId: number; readonly fetchId: number; readonly request: BlobRequest }
  | { readonly type: "console"; readonly executionId?: number; readonly entry: ConsoleEntry }
  /** Pack code used something that the platform has otherwise; each once, with the stack of the use. */
  | { readonly type: "noticed"; readonly executionId: number; readonly platformDifference: PlatformDifferenceAccess }
  /** Pack code looked for a field of a body that is an echo of the sandbox; each field once. */
  | { readonly type: "echoRead"; readonly executionId: number; readonly request: number; readonly field: string }
  /** Some of the items of a long result, ahead of it. */
  | { readonly type: "part"; readonly id: number; readonly items: readonly unknown[] }
  /**
   * `parts` says that the items sent before are the value, or its `result`. `unawaited` holds the stacks of the calls to fetch that had not answered when the formula
   * returned, `dates` where a Date object stood that is a text by now, such as `[3].due`, `promises` and `collections` where a promise, a Map or
   * a Set stood, of which nothing is left.
   */
  | {
      readonly type: "succeeded";
      readonly id: number;
      readonly value: unknown;
      readonly parts?: "value" | "result";
      readonly unawaited?: readonly string[];
      readonly dates?: readonly string[];
      readonly promises?: readonly string[];
      readonly collections?: readonly string[];
    }
  | { readonly type: "pong"; readonly id: number }
  | { readonly type: "failed"; readonly id: number; readonly error: ThrownError };

/** A field of the context that was read, or a header of a response with its name; `stack` is that of the bundle. */
export interface PlatformDifferenceAccess {
  readonly what: "logger" | "syncStateService" | "previousCompletion" | "continuation" | "responseHeader";
  readonly name?: string;
  readonly stack?: string;
}

/** Which layers hold (security.md 1); a layer that is missing stops everything. */
export interface SelfTestReport {
  readonly node: string;
  readonly layers: readonly { readonly name: string; readonly isEnforced: boolean; readonly detail?: string }[];
}

/** A fetcher request as pack code wrote it. Bodies that are bytes come as base64. */
export interface FetchRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly text: string } | { readonly base64: string };
  readonly form?: Readonly<Record<string, string>>;
  readonly isBinaryResponse?: boolean;
  readonly ignoreRedirects?: boolean;
  readonly disableAuthentication?: boolean;
  readonly cacheTtlSecs?: number;
  /** Answers to other methods than GET are kept too. */
  readonly forceCache?: boolean;
  readonly encoding?: string;
}

/** A response as pack code sees it: masked, without Set-Cookie. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * `json` is already parsed; `unparsed` is parsed by the pack process, and stays text where it is no JSON; `base64` becomes a Buffer;
   * `text` a string.
   */
  readonly body:
    | { readonly json: unknown }
    | { readonly unparsed: string }
    | { readonly text: string }
    | { readonly base64: string }
    | { readonly empty: true };
  /** The body is an echo of the sandbox: the id of the request's trace. */
  readonly echo?: number;
}

/** Why a fetch has no response: the process makes an Error of it inside the pack's realm. */
export interface FetchFailure {
  readonly name: "Error" | "StatusCodeError";
  readonly message: string;
  /** For a StatusCodeError (status ≥ 400): the whole answer. */
  readonly response?: FetchResponse;
  /** For a StatusCodeError: the request as the pack wrote it. */
  readonly options?: FetchRequest;
}

export type BlobRequest =
  | ({ readonly kind: "url"; readonly name?: string; readonly contentType?: string } & Pick<
      FetchRequest,
      "url" | "headers" | "disableAuthentication" | "cacheTtlSecs"
    >)
  | { readonly kind: "data"; readonly base64: string; readonly contentType: string; readonly name?: string };

/** An error that pack code threw; the stack is still that of the bundle, the host maps it to the sources. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly userVisible?: boolean;
  /** False for what a fetch failed with: the platform's error, not the pack's. */
  readonly isOwn?: boolean;
}
