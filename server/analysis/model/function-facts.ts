// The facts of one function: its return values, its parameters, and its use of promises.
import type { Binding, Expression, Place, Steps } from "./values.ts";

export interface FunctionReturns {
  /** Its own name, or that of the variable or property that it is the value of; for a constructor, that of the class. */
  readonly name: string | undefined;
  readonly async: boolean;
  readonly generator: boolean;
  /** Every returned value; a `return` without a value counts as undefined. */
  readonly values: readonly Expression[];
  /** What the function returns, as a choice by its conditions; undefined if it cannot be followed. */
  readonly result: Expression | undefined;
  /** Whether none of the values can be a promise, whatever the names in them refer to. */
  readonly plain: boolean;
  /** Whether the function may throw or never return. */
  readonly throws: boolean;
  /** Whether control can reach the end of the function, so that it returns undefined. */
  readonly endsOpen: boolean;
  /** Where to insert `async`. */
  readonly asyncAt: Place;
  /** Where the first statement of the body goes; undefined for a body without braces. */
  readonly bodyAt?: Place;
  /** The names of all parameters; undefined for a destructured one. */
  readonly parameters: readonly (string | undefined)[];
  /** Names in its conditions. Their values decide which value the function returns. */
  readonly conditionNames: ReadonlySet<string>;
  /** The names that its parameters declare. */
  readonly bindings: readonly Binding[];
  /** Properties that are read from calls whose promise is not awaited: the call, the called function, and the property. */
  readonly unawaited: readonly { readonly call: Place; readonly callee: Expression; readonly property: string }[];
}

/** What the objects of a class are made of. */
export interface ClassFacts {
  readonly base: Expression | undefined;
  /** The methods, and the results of getters. */
  readonly members: ReadonlyMap<string, Expression>;
  /** The names that have setters. */
  readonly setters: ReadonlySet<string>;
  /** What happens to a new object after the base class made it; the parameters are those of the constructor. */
  readonly construction: Steps;
  /** What the constructor passes to that of the base class; undefined if it passes its own arguments. */
  readonly baseArguments: readonly Expression[] | undefined;
  /** What each method does to its object. */
  readonly changes: ReadonlyMap<string, Steps>;
}
