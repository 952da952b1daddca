// The messages between host and pack process. Every message is one JSON string, in both directions, so that neither side can reach an
// object of the other.
// Invariant: no message to the pack process carries a credential.
import type { PackDefinition } from "./definition.ts";
import type { ConsoleEntry, ParameterValue, RunContext, RunTarget } from "./run.ts";
import type { ValidationMessage } from "./validation.ts";

/** Host → pack process. */
export type ToPackProcess =
  /** Loads the Packs SDK before the pack; it is the same for every version of the pack. */
  | { readonly type: "prepare"; readonly code: string; readonly filename: string }
  | { readonly type: "load"; readonly code: string; readonly filename: string }
  | {
      readonly type: "execute";
      readonly id: number;
      readonly target: RunTarget;
      readonly parameters: readonly ParameterValue[];
      readonly context: RunContext;
      /** If true, execution starts only after a debugger has attached and set its breakpoints. */
      readonly waitForDebugger?: boolean;
    }
  /** Validates the loaded pack with the SDK's upload validator, which is `code`, as the SDK of this version. */
  | { readonly type: "validate"; readonly id: number; readonly code: string; readonly filename: string; readonly toolkitVersion: string }
  | { readonly type: "fetched"; readonly fetchId: number; readonly response: FetchResponse }
  | { readonly type: "fetchFailed"; readonly fetchId: number; readonly error: FetchFailure }
  /** The process replies with a pong as soon as pack code yields. */
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
      /** The call stack, with positions in the bundle. */
      readonly stack?: string;
    }
  | { readonly type: "storeBlob"; readonly executionId: number; readonly fetchId: number; readonly request: BlobRequest }
  | { readonly type: "console"; readonly executionId?: number; readonly entry: ConsoleEntry }
  /** Pack code used a feature that differs on the platform. Sent once for each, with the stack of the use. */
  | { readonly type: "noticed"; readonly executionId: number; readonly platformDifference: PlatformDifferenceAccess }
  /** Pack code read a field of a body that the sandbox echoed. Sent once for each field. */
  | { readonly type: "echoRead"; readonly executionId: number; readonly request: number; readonly field: string }
  /** Some of the items of a long result, sent before the result. */
  | { readonly type: "part"; readonly id: number; readonly items: readonly unknown[] }
  /**
   * `parts` says whether the items sent before are the value or its `result`. `unawaited` lists the stacks of the fetch calls that were
   * unanswered when the formula returned. `dates` lists the paths of Date objects, which became strings, such as `[3].due`. `promises`
   * lists the paths of promises and `collections` those of Maps and Sets, whose content is lost in JSON.
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
  /** `isUsable` is false if the script does not contain the functions of the validator. The metadata is sent as an attachment. */
  | {
      readonly type: "validated";
      readonly id: number;
      readonly isUsable: boolean;
      readonly metadata: string;
      readonly errors: readonly ValidationMessage[];
      readonly warnings: readonly ValidationMessage[];
    }
  | { readonly type: "pong"; readonly id: number }
  | { readonly type: "failed"; readonly id: number; readonly error: ThrownError };

/** A field of the context that pack code read, or a response header with its name; `stack` has positions in the bundle. */
export interface PlatformDifferenceAccess {
  readonly what: "logger" | "syncStateService" | "previousCompletion" | "continuation" | "responseHeader";
  readonly name?: string;
  readonly stack?: string;
}

/** The isolation layers that are enforced (security.md 1). The host stops if one is missing. */
export interface SelfTestReport {
  readonly node: string;
  readonly layers: readonly { readonly name: string; readonly isEnforced: boolean; readonly detail?: string }[];
}

/** A fetcher request as pack code wrote it. Binary bodies are base64. */
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
  /** True if responses to methods other than GET are cached too. */
  readonly forceCache?: boolean;
  readonly encoding?: string;
}

/** A response as pack code sees it: masked, without Set-Cookie. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * `json` is already parsed. The pack process parses `unparsed`, and keeps the text if it is not JSON. `base64` becomes a Buffer, `text` a
   * string.
   */
  readonly body:
    | { readonly json: unknown }
    | { readonly unparsed: string }
    | { readonly text: string }
    | { readonly base64: string }
    | { readonly empty: true };
  /** The ID of the request's trace, if the body is an echo of the sandbox. */
  readonly echo?: number;
}

/** Why a fetch has no response. The pack process creates an Error from it inside the pack's realm. */
export interface FetchFailure {
  readonly name: "Error" | "StatusCodeError";
  readonly message: string;
  /** The whole response, for a StatusCodeError (status ≥ 400). */
  readonly response?: FetchResponse;
  /** The request as the pack wrote it, for a StatusCodeError. */
  readonly options?: FetchRequest;
}

export type BlobRequest =
  | ({ readonly kind: "url"; readonly name?: string; readonly contentType?: string } & Pick<
      FetchRequest,
      "url" | "headers" | "disableAuthentication" | "cacheTtlSecs"
    >)
  | { readonly kind: "data"; readonly base64: string; readonly contentType: string; readonly name?: string };

/** An error that pack code threw. The stack has positions in the bundle; the host maps them to the sources. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly userVisible?: boolean;
  /** False for the error of a failed fetch, which is the platform's and not the pack's. */
  readonly isOwn?: boolean;
}
