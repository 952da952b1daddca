// What the walk over a statement finds, and where it is while it looks.
import type { ts } from "ts-morph";
import type { ContextFacts } from "../context-facts.ts";
import { type Declarations, FILE_SCOPE } from "../declarations.ts";
import type { BuilderCall, CallFact, ContextMember, GivenDefinition, HandedCall, Span, ToolkitUse, Value } from "../model.ts";

export interface Walked {
  /** What is done with the context that the platform gives. */
  readonly context: ContextFacts;
  readonly declarations: Declarations;
  readonly calls: CallFact[];
  readonly handedCalls: HandedCall[];
  /** Templates and sums of texts that may hold placeholders. */
  readonly texts: Value[];
  readonly tokenAliases: ReadonlySet<string>;
  readonly handedOver: HandedOver[];
  /** Modules that are required, wherever that is done. */
  readonly required: string[];
  readonly contextMembers: ContextMember[];
  readonly definitions: GivenDefinition[];
  readonly toolkitUses: ToolkitUse[];
  readonly builderCalls: BuilderCall[];
}

/** A name that is given to a function: `to(what)`; undefined where the function is computed. */
export interface HandedOver {
  readonly to: string | undefined;
  readonly what: string;
  /** The function, as it is written. */
  readonly callee?: Value;
  /** Of a pack it is no more than this: `pack.formulas.push(formula)`. */
  readonly adds?: CallFact;
}

/** Where the walk is: the block and the function that names are declared in, and whether this may not run. */
export interface Frame {
  readonly block: Span;
  readonly body: Span;
  readonly conditional: boolean;
  /** Directly in a loop or a function: whether that may not run. */
  readonly outside?: boolean;
}

export const OUTERMOST: Frame = { block: FILE_SCOPE, body: FILE_SCOPE, conditional: false };

/** Shared by the many statements that have none. */
export const NO_NAMES: ReadonlySet<string> = new Set();

/** Shared by all paths that end with the name that they begin with: most. */
export const NO_STEPS: readonly string[] = [];

/** What is being found, with the calls that are looked at when the walk is done. */
export interface Walking extends Omit<Walked, "context" | "tokenAliases"> {
  context: ContextFacts;
  tokenAliases: ReadonlySet<string>;
  contextCalls: ts.CallExpression[];
}
