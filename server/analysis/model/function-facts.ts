// What one function says: what it returns, what its parameters are called, and what it does with promises.
import type { Place, Value } from "./values.ts";

export interface FunctionReturns {
  readonly async: boolean;
  readonly generator: boolean;
  /** Every value that is returned; a `return` without one is undefined. */
  readonly values: readonly Value[];
  /** None of the values can be a promise, whatever the names in them stand for. */
  readonly plain: boolean;
  /** It may throw, or end nowhere. */
  readonly throws: boolean;
  /** Its end can be reached: it then gives back nothing. */
  readonly endsOpen: boolean;
  /** Where `async` goes, to make it one. */
  readonly asyncAt: Place;
  /** Where its body's first statement goes; undefined where it has no braces. */
  readonly bodyAt?: Place;
  /** The names of all parameters; undefined for one that is taken apart. */
  readonly parameters: readonly (string | undefined)[];
  /** Its first parameter's name. */
  readonly parameter?: string;
  /** Names in its conditions: what they stand for decides which value it is. */
  readonly conditionNames: ReadonlySet<string>;
  /** What the names of its parameters are bound to. */
  readonly bindings: readonly Binding[];
  /** Properties that are read from calls whose promise nobody awaits: the call, what is called, and the property. */
  readonly unawaited: readonly { readonly call: Place; readonly callee: Value; readonly property: string }[];
}

/** A name that a parameter declares: for the whole argument, or for a property of it. */
export interface Binding {
  readonly name: string;
  readonly index: number;
  readonly property?: string;
  /** What it stands for without an argument. */
  readonly standard?: Value;
  /** Of a parameter that is taken apart: what is taken apart without an argument. */
  readonly whole?: Value;
}
