// The results of the walk over a statement, and its current state.
import type { ts } from "ts-morph";
import type { ContextFacts } from "../../model/context-facts.ts";
import type {
  AssignedDefinition,
  BuilderCall,
  CallFact,
  ContextMember,
  FileFacts,
  GlobalUse,
  MethodAlias,
  NameUse,
  ToolkitUse,
} from "../../model/facts.ts";
import type { Expression, Place } from "../../model/values.ts";
import type { EvaluateContext } from "../evaluate.ts";
import type { Declarations } from "../names/declarations.ts";

export interface Walked {
  /** The uses of the platform's context. */
  readonly context: ContextFacts;
  readonly declarations: Declarations;
  readonly calls: CallFact[];
  readonly methodAliases: MethodAlias[];
  /** Templates and sums of strings that may contain placeholders. */
  readonly texts: Expression[];
  readonly tokenAliases: Set<string>;
  readonly escapes: Escape[];
  /** Required modules, in any expression. */
  readonly required: string[];
  readonly contextMembers: ContextMember[];
  readonly definitions: AssignedDefinition[];
  readonly toolkitUses: ToolkitUse[];
  readonly builderCalls: BuilderCall[];
  readonly awaits: FileFacts["awaits"][number][];
  readonly bracedTexts: Place[];
  readonly globalUses: GlobalUse[];
  readonly names: Readonly<Record<NameUse, Set<string>>>;
  readonly requirements: Expression[];
}

/** A name that is passed to a function: `to(what)`; undefined if the function is computed. */
export interface Escape {
  readonly to: string | undefined;
  readonly what: string;
  /** The called function, as in the source. */
  readonly callee?: Expression;
  /** Set if the name escapes only by a call such as `pack.formulas.push(formula)`, when it is a pack. */
  readonly adds?: CallFact;
}

/** The block and function that declare names, and whether the current code may not run. */
export interface Frame {
  readonly block: Place;
  readonly body: Place;
  readonly conditional: boolean;
  /** Set directly inside a loop or function: whether the loop or function itself may not run. */
  readonly outside?: boolean;
}

export interface Walk {
  readonly context: EvaluateContext;
  /** The frame of the current node. */
  frame: Frame;
  readonly facts: Omit<Walked, "context">;
  /** Calls that are read after the walk. */
  readonly contextCalls: ts.CallExpression[];
}
