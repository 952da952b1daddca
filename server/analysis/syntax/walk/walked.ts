// What the walk over a statement finds, and where it is while it looks.
import type { ts } from "ts-morph";
import type { ContextFacts } from "../../model/context-facts.ts";
import type { AssignedDefinition, BuilderCall, CalledPath, CallFact, CallWithPack, ContextMember, ToolkitUse } from "../../model/facts.ts";
import type { Place, Value } from "../../model/values.ts";
import type { EvaluateContext } from "../evaluate.ts";
import type { Declarations } from "../names/declarations.ts";

export interface Walked {
  /** What is done with the context that the platform gives. */
  readonly context: ContextFacts;
  readonly declarations: Declarations;
  readonly calls: CallFact[];
  readonly callsWithPack: CallWithPack[];
  /** Templates and sums of texts that may hold placeholders. */
  readonly texts: Value[];
  readonly tokenAliases: Set<string>;
  readonly escapes: Escape[];
  /** Modules that are required, wherever that is done. */
  readonly required: string[];
  readonly contextMembers: ContextMember[];
  readonly definitions: AssignedDefinition[];
  readonly toolkitUses: ToolkitUse[];
  readonly builderCalls: BuilderCall[];
  readonly globalRequests: CalledPath[];
}

/** A name that is passed to a function: `to(what)`; undefined where the function is computed. */
export interface Escape {
  readonly to: string | undefined;
  readonly what: string;
  /** The function, as it is written. */
  readonly callee?: Value;
  /** Of a pack it is no more than this: `pack.formulas.push(formula)`. */
  readonly adds?: CallFact;
}

/** The block and the function that names are declared in, and whether this may not run. */
export interface Frame {
  readonly block: Place;
  readonly body: Place;
  readonly conditional: boolean;
  /** Directly in a loop or a function: whether that may not run. */
  readonly outside?: boolean;
}

export interface Walk {
  readonly context: EvaluateContext;
  /** Around the node that is being looked at. */
  frame: Frame;
  readonly facts: Omit<Walked, "context">;
  /** Calls that are looked at when the walk is done. */
  readonly contextCalls: ts.CallExpression[];
}
