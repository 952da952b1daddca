// What happens to a name after its declaration: reassignment, writes, and escapes.
import type { Expression, Place } from "./values.ts";

/** What happens, at a place, to a name after its declaration, or to the member of it that the path leads to. */
export type Mutation = { readonly name: string; readonly at: Place; readonly path: readonly string[] } & (
  | Assigned
  | PropertyWrite
  /** The list has more items. */
  | { readonly kind: "grown" }
  /** Any property may have been added or changed. */
  | { readonly kind: "escaped" }
);

/** `name.property = …`, or `delete name.property`. */
export interface PropertyWrite {
  readonly kind: "written" | "deleted";
  readonly property: string;
  /** The assigned value, if it is known. */
  readonly assignment?: { readonly definition: Definition; readonly nameSpan: Place; readonly span: Place };
}

/** An assignment to a name. Without a definition the value is unknown, as after destructuring an array. */
interface Assigned {
  readonly kind: "assigned";
  readonly definition?: Definition;
}

/**
 * The value that an assignment gives to a name. `at` is the end of the assignment: the assigned expression itself still sees the previous
 * value.
 */
export interface Definition {
  readonly at: Place;
  readonly value: Expression;
  /** The innermost enclosing part that may not run. After the assignment, code in this part sees the new value. */
  readonly region: Place;
  /**
   * Set if the region is a branch of a statement that always takes one of its branches. Lists that statement, then the one around it, and
   * so on.
   */
  readonly branches: readonly Branching[];
  /** The block whose end leaves the function: code after the block does not see the value. */
  readonly reach: Place;
  /** The enclosing loops. */
  readonly loops: readonly Place[];
  /** The enclosing function. */
  readonly body: Place;
}

/** A statement that always takes one of its branches: a condition with both, a switch with a default, a try with a catch. */
export interface Branching {
  readonly of: Place;
  /** The branches from which control reaches the code after the statement. */
  readonly ways: readonly Place[];
  /** The innermost enclosing part that may not run. */
  readonly region: Place;
}
