// What becomes of a name after its declaration: it is assigned again, written to, passed on.
import type { Place, Value } from "./values.ts";

/** What happens to a name after its declaration, seen at a point, or to what the path leads to inside it. */
export type Mutation = { readonly name: string; readonly at: Place; readonly path: readonly string[] } & (
  | Assigned
  | PropertyWrite
  /** A list has more items. */
  | { readonly kind: "grown" }
  /** Anything may have been put into it. */
  | { readonly kind: "escaped" }
);

/** `name.property = …`, or `delete name.property`, which gives it nothing. */
export interface PropertyWrite {
  readonly kind: "written" | "deleted";
  readonly property: string;
  /** What is assigned, where that is known. */
  readonly assignment?: { readonly definition: Definition; readonly nameSpan: Place; readonly span: Place };
}

/** The value is not known without a definition, as where a list is taken apart. */
interface Assigned {
  readonly kind: "assigned";
  readonly definition?: Definition;
}

/** The value that an assignment gives to a name. It stands where the assignment ends: what that is made of still sees the value before. */
export interface Definition {
  readonly at: Place;
  readonly value: Value;
  /** The innermost part around it that may be left out. Behind the assignment in that part, it has been made. */
  readonly region: Place;
  /** Where the region is a branch of a statement that takes one of them in any case: that one, then the one whose branch that is, and so on. */
  readonly branches: readonly Branching[];
  /** The block at whose end the function is left: nothing behind that sees it. */
  readonly reach: Place;
  /** The loops around it. */
  readonly loops: readonly Place[];
  /** The function that it stands in. */
  readonly body: Place;
}

/** A condition with both branches, a switch with a default, a try with a catch. */
export interface Branching {
  readonly of: Place;
  /** The branches by which what follows is come to. */
  readonly ways: readonly Place[];
  /** The innermost part around it that may be left out. */
  readonly region: Place;
}
