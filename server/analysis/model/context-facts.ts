// What a file does with the context that the platform passes to it, and the credentials that stand in it.
import type { Place, Value } from "./values.ts";

/** A call that sends a request, or that passes what sends requests to another function: `get(context, url)`. */
export interface ContextCall {
  readonly place: Place;
  /** What is called; a reference, or unknown where it is computed. */
  readonly callee: Value;
  /** Whether it is the platform's fetch, as far as its own statement tells: "maybe" is for whoever knows what its names stand for. */
  readonly fetches: "yes" | "maybe" | "no";
  readonly arguments: readonly Value[];
  /** Runs only where the endpoint is known to be there, or fails without harm. */
  readonly guarded: boolean;
  /** Of what may be a request: where its error is lost. */
  readonly swallowed?: SwallowedError;
}

/** What catches an error and loses it. The place is the handler's, or the head of the clause: `catch (error)`. */
export interface SwallowedError {
  readonly place: Place;
  /** Where the error can be thrown on; its name, where it has one. */
  readonly clause?: { readonly name: string | undefined; readonly body: Place };
}

/** A function around a call or use. Its parameters stand by their names; `""` is an object that is taken apart, and undefined a list. */
export interface FunctionFact {
  readonly place: Place;
  readonly parameters: readonly (string | undefined)[];
}

/** `context.endpoint` where something is made of it that makes no sense without a value. */
export interface EndpointUse {
  readonly place: Place;
  readonly guarded: boolean;
  /** What may be there instead: `base` of `base || context.endpoint`. */
  readonly instead?: Value;
}

export interface ContextFacts {
  /** By their start. */
  readonly contextCalls: readonly ContextCall[];
  readonly functions: readonly FunctionFact[];
  readonly endpointUses: readonly EndpointUse[];
  readonly secrets: readonly SecretFact[];
}

/** The place is the credential's own, without quotes. */
export interface SecretFact {
  readonly place: Place;
  /** The kind of credential: "GitHub token". */
  readonly format: string;
}
