// The facts of one file: plain data without syntax trees, since the next edit invalidates those.
import type { ContextFacts } from "./context-facts.ts";
import type { ClassFacts, FunctionReturns } from "./function-facts.ts";
import type { Mutation } from "./mutations.ts";
import type { Expression, FileSpan, ObjectValue, Place, Span } from "./values.ts";

/** A declared name, its scope and its value; undefined if the value is not certain. */
export interface Declaration {
  readonly scope: Place;
  readonly value: Expression | undefined;
}

/** The possible values of a reassigned name; empty if they are unknown. */
export interface AssignedValues {
  readonly values: readonly Expression[];
  /** Whether the name may also have its declared value, which is unknown, as for a parameter. */
  readonly declared: boolean;
}

/** The names that a file declares. */
export interface DeclaredNames {
  /** Returns every declaration of the name, in each scope that declares it. */
  get(name: string): readonly Declaration[] | undefined;
  /** Returns the scope of the innermost declaration that is visible at the offset, without examining its value as {@link get} does. */
  scopeAt(name: string, offset: number): Place | undefined;
  /** Returns what this file does to the value of the name in the file's own scope; for an import, to the imported value. */
  changesOf(name: string): readonly Mutation[];
  /** Returns the possible values of a reassigned name at the offset, or undefined if the name is never reassigned. */
  assignedAt(name: string, offset: number): AssignedValues | undefined;
  /**
   * Returns the object that a name refers to at the offset if code only writes to its properties; otherwise undefined. `escapes` says that
   * the object is passed on, and not only read from.
   */
  writtenAt(name: string, offset: number, escapes: boolean): ObjectValue | undefined;
  /** Whether code in the span writes to a part of a name that is declared there, such as a parameter. */
  isWritten(name: string, within: Span): boolean;
  /** Whether code in the span passes the name, or a part of it, to a function. The span `except` does not count. */
  isPassed(name: string, within: Span, except?: Span): boolean;
  /**
   * Returns the functions of the file that return the name's value or a part of it. `by` is the function's name as {@link changesOf} takes
   * it.
   */
  returnedBy(name: string): readonly { readonly by: string; readonly path: readonly string[] }[];
}

/** A call that matters to packs: `<receiver>.<method>(…)`. */
export interface CallFact {
  readonly place: Place;
  readonly method: string;
  /** The called name: the method's, or the local name of an import. */
  readonly callee: string;
  readonly receiver: string;
  /** The called method or function. */
  readonly called: Expression;
  readonly nameSpan: Place;
  readonly arguments: readonly Expression[];
  /** Whether the call is inside a branch or a loop, and so may not run. */
  readonly conditional: boolean;
  /** An expression that is undefined if the call never runs; undefined if only its function decides. */
  readonly runs: Expression | undefined;
  /** The method's name if it is computed; then `method` is empty. */
  readonly key?: Expression;
  /** Set if the call is all that a loop does with each item of a list; `conditional` says whether the loop may not run. */
  readonly loop?: { readonly conditional: boolean };
  /** The enclosing function, which may be called later, more than once, or never. Its place may begin with whitespace and comments. */
  readonly within: Place | undefined;
  /**
   * The statement that consists of the call, with its semicolon. Undefined inside expressions, and if no other statement can stand beside
   * it.
   */
  readonly statement?: Place;
}

/** A call of a function by its name. The places are those of the current text. */
export interface CallSite extends Pick<CallFact, "place" | "nameSpan" | "arguments" | "within" | "conditional"> {
  readonly callee: Expression;
}

/** A name for a method of a pack: `const set = pack.setUserAuthentication.bind(pack)`. */
export interface MethodAlias {
  readonly name: string;
  readonly receiver: string;
  readonly method: string;
}

/** A use of an SDK export: `coda.name`, or an imported name. The place is the name's. */
export interface ToolkitUse {
  readonly place: Place;
  readonly name: string;
  /** The file's local name for the export, or for the SDK's namespace. */
  readonly local: string;
  /** Whether loading the file fails without this export, because the file calls it or reads from it while loading. */
  readonly fails: boolean;
}

/** A method call on a possible pack, or an enum read from one. The place is the name's. */
export interface BuilderCall {
  readonly place: Place;
  readonly name: string;
  readonly receiver: Expression;
  /** Whether the receiver is declared as a pack. */
  readonly isTyped: boolean;
  /** As with {@link ToolkitUse}. */
  readonly fails: boolean;
}

/** A called or constructed path, such as `axios.get(…)` or `new XMLHttpRequest()`. */
export interface CalledPath {
  /** The place of the names. */
  readonly place: FileSpan;
  readonly path: readonly string[];
}

/** A use of a global that the platform lacks, by itself or as a member of the global object: `fetch`, `globalThis.fetch`. */
export interface GlobalUse {
  readonly place: Place;
  /** The first name, which may be declared: `globalThis` or `fetch`. */
  readonly root: string;
  /** The global's name; empty if code uses the global object as a whole. */
  readonly name: string;
  /** Whether the code fails without the global. Otherwise, it assigns to the global or tests for it. */
  readonly needs: boolean;
  /** The parameter whose default it is. */
  readonly standardOf?: { readonly owner: Place; readonly index: number };
}

/** How code uses a member's name: it gives an object that member, also by an assignment, reads it, or gives an object named so other members. */
export type NameUse = "defines" | "assigns" | "reads" | "extends";

/** `context.name`, with the context as a parameter. The place is the name's. */
export interface ContextMember {
  readonly place: Place;
  readonly name: string;
  /** The function that declares the parameter. */
  readonly owner: Place;
  /** Whether the parameter is declared as a context of the SDK. */
  readonly isTyped: boolean;
}

/** A part of a definition that is assigned to a pack, or to a possible pack. */
export interface AssignedDefinition {
  readonly receiver: Expression;
  readonly definition: ObjectValue;
  /** Whether the assignment certainly runs while the file loads. */
  readonly certain: boolean;
}

/** `{{name-<invocationToken>}}` built by a template, `+`, or an alias of the token. The place is the name's. */
export interface PlaceholderFact {
  readonly place: Place;
  /** Undefined if the name is computed. */
  readonly name?: string;
  /** The values from which the name is computed. */
  readonly parts?: readonly Expression[];
  /** The call that passes the name, if a helper function builds the placeholder. */
  readonly builtBy?: Place;
}

/** A comment that suppresses rules: `// pack-auth-disable-next-line <id>, <id> -- reason`. The place is the comment's. */
export interface SuppressionFact extends FileSpan {
  /** The comment including the braces around it in JSX. */
  readonly whole: Span;
  /** Undefined for a comment that only begins like a directive. */
  readonly directive?: "next-line" | "line" | "file";
  readonly rules: readonly (Span & { readonly id: string })[];
  /** The code that the comment applies to; undefined if no code follows. */
  readonly covers?: Span;
}

export interface ImportFact {
  readonly local: string;
  readonly module: string;
  /** The exported name, `*` for a namespace, `default`. */
  readonly name: string;
}

export type ExportFact = { readonly local: string } | { readonly module: string; readonly name: string } | { readonly value: Expression };

/** Why a source was not analysed: it is too long to be handwritten, is nested too deeply for a parser, or needs too much work. */
export type Unread = "large" | "deep" | "involved";

/** A syntax error with TypeScript's message. */
export interface SyntaxMistake extends FileSpan {
  readonly message: string;
}

export interface FileFacts extends ContextFacts {
  readonly file: string;
  readonly text: string;
  /** Why the file was not analysed, if it was not. */
  readonly unread?: Unread;
  /**
   * Returns the facts of the function at the place. Returns undefined if there is no function, or after an edit once the facts were
   * requested again.
   */
  functionAt(place: Place): FunctionReturns | undefined;
  /** Returns the facts of the class at the place, with the same exceptions. */
  classAt(place: Place): ClassFacts | undefined;
  /** Returns the calls of a name, or of methods that have it; empty after an edit once the facts were requested again. */
  callsOf(name: string): readonly CallSite[];
  /** Returns every path that the file calls or constructs; empty after an edit once the facts were requested again. */
  calledPaths(): readonly CalledPath[];
  /** The first syntax error, if there is one. */
  readonly mistake?: SyntaxMistake;
  /** All modules that the file imports, re-exports or requires, including relative ones. */
  readonly modules: readonly string[];
  readonly imports: ReadonlyMap<string, ImportFact>;
  readonly declarations: DeclaredNames;
  /** Exported name → local name or re-export. */
  readonly exports: ReadonlyMap<string, ExportFact>;
  readonly starExports: readonly string[];
  /** Keeps its identity across edits as long as every statement sees the same declarations and imports of the file. */
  readonly fileScope: object;
  readonly calls: readonly CallFact[];
  readonly placeholders: readonly PlaceholderFact[];
  /** Templates and string concatenations that contain a brace. */
  readonly braced: readonly Expression[];
  /** Every `await` that a function certainly reaches, and the function. */
  readonly awaits: readonly { readonly place: Place; readonly within: Place }[];
  /** The strings, and the literal parts of templates, that contain a brace. */
  readonly bracedTexts: readonly Place[];
  readonly suppressions: readonly SuppressionFact[];
  /** The source of the SDK's namespace in this file, such as `coda.`; empty if the file uses named imports. */
  readonly toolkitPrefix: string;
  readonly importsToolkit: boolean;
  /** Number of packs that the file builds. */
  readonly builds: number;
  /** Calls that may be a newPack imported from another file, by the path that is called. */
  readonly buildsBy: readonly (readonly string[])[];
  readonly contextMembers: readonly ContextMember[];
  readonly definitions: readonly AssignedDefinition[];
  readonly toolkitUses: readonly ToolkitUse[];
  readonly builderCalls: readonly BuilderCall[];
  readonly globalUses: readonly GlobalUse[];
  /** The values of all properties `connectionRequirement` and `defaultConnectionRequirement`. */
  readonly requirements: readonly Expression[];
  /** Whether the file uses the member's name so, in whatever object. With "extends", the name is `context`. */
  uses(how: NameUse, name: string): boolean;
  /** Modules to whose functions the file passes the pack, with the called function. The module is empty if the function is computed. */
  readonly packGoesTo: readonly { readonly module: string; readonly callee?: Expression }[];
}
