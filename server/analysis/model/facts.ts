// What one file says: plain data without syntax trees, since the next edit invalidates those.
import type { ContextFacts } from "./context-facts.ts";
import type { FunctionReturns } from "./function-facts.ts";
import type { Mutation } from "./mutations.ts";
import type { FileSpan, ObjectValue, Place, Span, Value } from "./values.ts";

/** A name, where it can be seen, and what it stands for; undefined where that is not known for certain. */
export interface Declaration {
  readonly scope: Place;
  readonly value: Value | undefined;
}

/** What a name that is assigned again may stand for: nothing here where that is not known. */
export interface AssignedValues {
  readonly values: readonly Value[];
  /** Also what it is declared as, which is not known: it is a parameter, say. */
  readonly declared: boolean;
}

/** The names that a file declares. */
export interface DeclaredNames {
  /** Every declaration of the name, in each scope that declares it. */
  get(name: string): readonly Declaration[] | undefined;
  /** What is done, in this file, to what the name stands for in the file's own scope; of imports, to what is declared elsewhere. */
  changesOf(name: string): readonly Mutation[];
  /** What a name that is assigned again may stand for at the offset; undefined of one that is not assigned again. */
  assignedAt(name: string, offset: number): AssignedValues | undefined;
  /**
   * The object that a name stands for at the offset, where all that is done to it is to write to its properties; undefined elsewhere.
   * `escapes`: it is passed on, and not only read from.
   */
  writtenAt(name: string, offset: number, escapes: boolean): ObjectValue | undefined;
  /** Whether something in a name that is declared in the span, such as a parameter, is written to there. */
  isWritten(name: string, within: Span): boolean;
  /** Whether it, or something in it, is passed to a function there; what is passed in the exception does not count. */
  isPassed(name: string, within: Span, except?: Span): boolean;
  /** Where functions of the file return what the name stands for, or a part of it: the name that {@link changesOf} knows that by. */
  returnedBy(name: string): readonly { readonly by: string; readonly path: readonly string[] }[];
}

/** A call that matters to packs: `<receiver>.<method>(…)`. */
export interface CallFact {
  readonly place: Place;
  readonly method: string;
  /** The name that is called: the method's, or what an import calls it. */
  readonly callee: string;
  readonly receiver: string;
  readonly nameSpan: Place;
  readonly arguments: readonly Value[];
  /** Inside a branch or a loop: it may not run. */
  readonly conditional: boolean;
  /** Where it is all that is done with each item of a list: whether the list may not be gone through. */
  readonly loop?: { readonly conditional: boolean };
  /** The function that it stands in, which may be called later, more than once, or never; perhaps with blanks and comments before it. */
  readonly within: Place | undefined;
  /** The statement that the call is, with its semicolon; undefined inside expressions, and where no other statement can stand beside it. */
  readonly statement?: Place;
}

/** A call with a pack among its arguments, as far as its name tells: `setAuth(pack, config)`. */
export interface CallWithPack {
  readonly place: Place;
  readonly callee: Value;
  readonly arguments: readonly Value[];
  /** As with {@link CallFact}. */
  readonly within: Place | undefined;
}

/** A name that is taken of the toolkit: `coda.name`, or one that is imported. The place is the name's. */
export interface ToolkitUse {
  readonly place: Place;
  readonly name: string;
  /** The name that the file has for it, or for the toolkit's namespace. */
  readonly local: string;
  /** The file cannot be loaded where there is no such name: it is called, or read from, while that is done. */
  readonly fails: boolean;
}

/** A call of a method on what may be a pack, or an enum that is read of one. The place is the name's. */
export interface BuilderCall {
  readonly place: Place;
  readonly name: string;
  readonly receiver: Value;
  /** What it is called on is declared to be a pack. */
  readonly isTyped: boolean;
  /** As with {@link ToolkitUse}. */
  readonly fails: boolean;
}

/** `axios.get(…)`, `new XMLHttpRequest()`. */
export interface CalledPath {
  /** Of the names. */
  readonly place: FileSpan;
  readonly path: readonly string[];
  /** It runs when the function around it does, and not while the file loads. */
  readonly inFunction: boolean;
}

/** `context.name`, where the context is a parameter. The place is the name's. */
export interface ContextMember {
  readonly place: Place;
  readonly name: string;
  /** The function that has the parameter. */
  readonly owner: Place;
  /** The parameter is declared to be a context of the toolkit. */
  readonly isTyped: boolean;
}

/** A part of a definition that is assigned to a pack, or to what may be one. */
export interface AssignedDefinition {
  readonly receiver: Value;
  readonly definition: ObjectValue;
  /** It is certainly written while the file loads. */
  readonly certain: boolean;
}

/** `{{name-<invocationToken>}}` built by a template, `+`, or an alias of the token. The place is the name's. */
export interface PlaceholderFact {
  readonly place: Place;
  /** Undefined: the name is computed. */
  readonly name?: string;
  /** What the name is computed from. */
  readonly parts?: readonly Value[];
  /** Where a helper puts the name in that this call gives. */
  readonly builtBy?: Place;
}

/** A comment that silences rules: `// pack-auth-disable-next-line <id>, <id> -- reason`. The place is the comment's. */
export interface SuppressionFact extends FileSpan {
  /** With the braces around it, in JSX. */
  readonly whole: Span;
  /** Undefined for one that only begins like a directive. */
  readonly directive?: "next-line" | "line" | "file";
  readonly rules: readonly (Span & { readonly id: string })[];
  /** What it speaks of; undefined where no code follows. */
  readonly covers?: Span;
}

export interface ImportFact {
  readonly local: string;
  readonly module: string;
  /** The exported name, `*` for a namespace, `default`. */
  readonly name: string;
}

export type ExportFact = { readonly local: string } | { readonly module: string; readonly name: string } | { readonly value: Value };

/** A source that is longer than any that is written by hand, or nested deeper than a parser can go. */
export type Unread = "large" | "deep" | "involved";

/** In TypeScript's words. */
export interface SyntaxMistake extends FileSpan {
  readonly message: string;
}

export interface FileFacts extends ContextFacts {
  readonly file: string;
  readonly text: string;
  /** Why nothing is known of the file, where that is so. */
  readonly unread?: Unread;
  /** What the function at the place says; undefined of what is none, and once the source was edited and its facts were asked for anew. */
  functionAt(place: Place): FunctionReturns | undefined;
  /** All that it calls or makes by name; nothing once the source was edited and its facts were asked for anew. */
  calledPaths(): readonly CalledPath[];
  /** The first syntax error, where there is one. */
  readonly mistake?: SyntaxMistake;
  /** Modules imported, exported from or required, relative ones among them. */
  readonly modules: readonly string[];
  readonly imports: ReadonlyMap<string, ImportFact>;
  readonly declarations: DeclaredNames;
  /** Exported name → local name or re-export. */
  readonly exports: ReadonlyMap<string, ExportFact>;
  readonly starExports: readonly string[];
  /** The same object from one edit to the next while the code of each statement sees the same of the others, and of what is imported. */
  readonly fileScope: object;
  readonly calls: readonly CallFact[];
  readonly placeholders: readonly PlaceholderFact[];
  /** Templates and sums of texts with a brace in them. */
  readonly braced: readonly Value[];
  readonly suppressions: readonly SuppressionFact[];
  /** The source of the toolkit's namespace in this file, such as `coda.`; empty where named imports are used. */
  readonly toolkitPrefix: string;
  readonly importsToolkit: boolean;
  /** How many packs it builds. */
  readonly builds: number;
  /** Calls of a newPack that is imported from elsewhere: the paths by which it is called. */
  readonly buildsBy: readonly (readonly string[])[];
  readonly callsWithPack: readonly CallWithPack[];
  readonly contextMembers: readonly ContextMember[];
  readonly definitions: readonly AssignedDefinition[];
  readonly toolkitUses: readonly ToolkitUse[];
  readonly builderCalls: readonly BuilderCall[];
  /** Calls of `fetch`, and of `XMLHttpRequest`, by these names alone. */
  readonly globalRequests: readonly CalledPath[];
  /** Modules whose functions the pack is passed to; an empty name where the function is computed. With the function, as it is written. */
  readonly packGoesTo: readonly { readonly module: string; readonly callee?: Value }[];
}
