// What a file does with the platform's context, and the credentials that the file contains.
import type { Expression, Place } from "./values.ts";

/** A call that sends a request, or that passes the fetcher or the context to another function: `get(context, url)`. */
export interface ContextCall {
  readonly place: Place;
  /** The called function: a reference, or unknown if it is computed. */
  readonly callee: Expression;
  /** Whether this is the platform's fetch, as far as the statement itself says. "maybe" depends on what its names refer to. */
  readonly fetches: "yes" | "maybe" | "no";
  readonly arguments: readonly Expression[];
  /** Whether the call runs only if the endpoint is set, or fails without harm. */
  readonly guarded: boolean;
  /** For a possible request, the handler that discards its error. */
  readonly swallowed?: SwallowedError;
}

/** A handler that catches an error and discards it. The place is the handler's, or the head of the clause: `catch (error)`. */
export interface SwallowedError {
  readonly place: Place;
  /** The catch clause in which the error can be rethrown, and the error's name, if it has one. */
  readonly clause?: { readonly name: string | undefined; readonly body: Place };
}

/** A function around a call or use. Parameters are listed by name; `""` is an object pattern, and undefined an array pattern. */
export interface FunctionFact {
  readonly place: Place;
  readonly parameters: readonly (string | undefined)[];
}

/** A use of `context.endpoint` that makes no sense without a value. */
export interface EndpointUse {
  readonly place: Place;
  readonly guarded: boolean;
  /** The value used in its place: `base` of `base || context.endpoint`. */
  readonly instead?: Expression;
}

export interface ContextFacts {
  /** Ordered by their start. */
  readonly contextCalls: readonly ContextCall[];
  readonly functions: readonly FunctionFact[];
  readonly endpointUses: readonly EndpointUse[];
  readonly secrets: readonly SecretFact[];
}

/** A credential in the source. The place is the credential's own, without quotes. */
export interface SecretFact {
  readonly place: Place;
  /** The kind of credential, such as "GitHub token". */
  readonly format: string;
}
