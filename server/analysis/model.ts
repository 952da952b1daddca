// What analysis knows, as plain data with offsets: facts of one file, the model of a pack, findings and fixes. Offsets are UTF-16
// code units. No syntax tree gets beyond facts.ts, since the next edit invalidates it.

import type { FieldSpec } from "../../spec/fields.ts";
import type { Change } from "./changes.ts";
import type { ContextFacts } from "./context-facts.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span in a file. */
export interface Place extends Span {
  readonly file: string;
}

export interface Property {
  readonly name: string;
  readonly nameSpan: Span;
  /** The whole property, without the comma after it. */
  readonly span: Span;
  readonly value: Value;
}

interface ValueAt<K extends string> extends Place {
  readonly kind: K;
}

/** What an expression is, as far as the source tells. "unknown" is never guessed about. */
export type Value =
  | (ValueAt<"string"> & { readonly value: string })
  | (ValueAt<"number"> & { readonly value: number })
  | (ValueAt<"boolean"> & { readonly value: boolean })
  | ValueAt<"null">
  | ValueAt<"undefined">
  | ListValue
  | ObjectValue
  | (ValueAt<"function"> & { readonly async: boolean })
  /** `coda.AuthenticationType.OAuth2`: a member of one of the toolkit's enums. */
  | (ValueAt<"member"> & {
      readonly enum: string;
      readonly name: string /** The source before `.Name`. */;
      readonly prefix: string;
      readonly nameSpan: Span;
    })
  /** `NAME` or `urls.token`, resolved over the pack's files when it is asked for. */
  | (ValueAt<"reference"> & { readonly path: readonly string[] /** The last name of the path. */; readonly nameSpan: Span })
  /** One of several, by a condition: unknown to all but those who look at each. */
  | ChoiceValue
  /** A template or a `+` of texts. */
  | (ValueAt<"template"> & { readonly parts: readonly Value[] })
  | (ValueAt<"unknown"> & {
      /** The name under which it is known, where that is all that is: of a parameter, of something that the platform gives. */
      readonly path?: readonly string[];
      /** The function that gives it back, and what that is given, where that is known. */
      readonly callee?: Value;
      readonly given?: readonly Value[];
      /** Each item of a list, one after the other. */
      readonly each?: Value;
      /** What a parameter stands for there: of one call, what that gives. */
      readonly standsFor?: Value;
      /** The class that it is made of. */
      readonly made?: Value;
      /** A property whose name is computed: `[KEY]: value`, standing where an object spreads something in. */
      readonly keyed?: { readonly key: Value; readonly property: Omit<Property, "name"> };
      /** `HOSTS[ENV]`: what is looked up, and in what. */
      readonly lookup?: { readonly object: Value; readonly key: Value };
      /** What newPack gives back. */
      readonly isPack?: true;
      /** What it is made of, by a function that is known. */
      readonly call?: { readonly name: string; readonly arguments: readonly Value[] };
    });

export interface ChoiceValue extends ValueAt<"choice"> {
  readonly options: readonly Value[];
  /** Of two: the first where it is something, and else the second. */
  readonly by?: "||" | "??";
}

export interface ListValue extends ValueAt<"array"> {
  /** Its own, and after resolving those of its spreads too, which may stand elsewhere. */
  readonly items: readonly Value[];
  /** What is spread in before the item of that index; absent where there is none, and after resolving. */
  readonly spreads?: readonly { readonly before: number; readonly value: Value }[];
  /** There may be more items: by a spread that could not be read, or one that is not yet. */
  readonly open: boolean;
}

export interface ObjectValue extends ValueAt<"object"> {
  /** Its own, and after resolving those of its spreads too, which may stand elsewhere. */
  readonly properties: readonly Property[];
  /** What is spread in before the property of that index; empty after resolving. */
  readonly spreads: readonly { readonly before: number; readonly value: Value }[];
  /** Objects that are spread in, perhaps by a condition; of a resolved one. */
  readonly sources?: readonly ObjectValue[];
  /** A spread or computed key that could not be read: there may be more fields. */
  readonly open: boolean;
  /** From the first thing between its braces to the end of the last; undefined where it is empty. */
  readonly members?: Span;
  readonly trailingComma: boolean;
}

/** A name, where it can be seen, and what it stands for; undefined where that is not known for certain. */
export interface Declaration extends Span {
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
  changesOf(name: string): readonly Change[];
  /** What a name that is assigned again may stand for at the offset; undefined of one that is not assigned again. */
  assignedAt(name: string, offset: number): AssignedValues | undefined;
  /**
   * The object that a name stands for at the offset, where all that is done to it is to write to its properties; undefined elsewhere.
   * `isKept`: it is handed on, and not only read from.
   */
  writtenAt(name: string, offset: number, isKept: boolean): ObjectValue | undefined;
  /** Whether something in a name that is declared in the span, such as a parameter, is written to there. */
  isWritten(name: string, within: Span): boolean;
  /** Whether it, or something in it, is handed to a function there. */
  isHandedOn(name: string, within: Span): boolean;
  /** Where functions of the file give back what the name stands for, or a part of it: the name that {@link changesOf} knows that by. */
  handedOut(name: string): readonly { readonly by: string; readonly path: readonly string[] }[];
}

/** A call that matters to packs: `<receiver>.<method>(…)`. */
export interface CallFact extends Place {
  readonly method: string;
  /** The name that is called: the method's, or what an import calls it. */
  readonly callee: string;
  readonly receiver: string;
  readonly nameSpan: Span;
  readonly arguments: readonly Value[];
  /** Inside a branch or a loop: it may not run. */
  readonly conditional: boolean;
  /** Where it is all that is done with each item of a list: whether the list may not be gone through. */
  readonly loop?: { readonly conditional: boolean };
  /** The function that it stands in, which may be called later, more than once, or never; perhaps with blanks and comments before it. */
  readonly within: Span | undefined;
  /** The end of the statement that the call is, with its semicolon; undefined inside expressions. */
  readonly statement?: Span;
}

/** A call that is given a pack, as far as its name tells: `setAuth(pack, config)`. */
export interface HandedCall extends Place {
  readonly callee: Value;
  readonly arguments: readonly Value[];
  /** As with {@link CallFact}. */
  readonly within: Span | undefined;
}

/** A name that is taken of the toolkit: `coda.name`, or one that is imported. The place is the name's. */
export interface ToolkitUse extends Place {
  readonly name: string;
  /** The name that the file has for it, or for the toolkit's namespace. */
  readonly local: string;
  /** The file cannot be loaded where there is no such name: it is called, or read from, while that is done. */
  readonly fails: boolean;
}

/** A call on what may be a pack, of a method that packs are not known to have. The place is the method's name. */
export interface BuilderCall extends Place {
  readonly name: string;
  readonly receiver: Value;
  /** What it is called on is declared to be a pack. */
  readonly isTyped: boolean;
  /** As with {@link ToolkitUse}. */
  readonly fails: boolean;
}

/** `context.name`, where the context is a parameter. The place is the name's. */
export interface ContextMember extends Place {
  readonly name: string;
  /** The function that has the parameter. */
  readonly owner: Span;
  /** The parameter is declared to be a context of the toolkit. */
  readonly isTyped: boolean;
}

/** A part of a pack's definition that is written to the pack, or what may be one. */
export interface GivenDefinition {
  readonly receiver: Value;
  readonly definition: ObjectValue;
  /** It is certainly written while the file loads. */
  readonly certain: boolean;
}

/** `{{name-<invocationToken>}}` built by a template, `+`, or an alias of the token. The place is the name's. */
export interface PlaceholderFact extends Place {
  /** Undefined: the name is computed. */
  readonly name?: string;
  /** What the name is computed from. */
  readonly parts?: readonly Value[];
}

/** A comment that silences rules: `// pack-auth-disable-next-line <id>, <id> -- reason`. The place is the comment's. */
export interface SuppressionFact extends Place {
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

/** A source that is longer than any that is written by hand, or nested deeper than a parser can go. */
export type Unread = "large" | "deep" | "involved";

export interface FileFacts extends ContextFacts {
  readonly file: string;
  readonly text: string;
  /** Why nothing is known of the file, where that is so. */
  readonly unread?: Unread;
  /** Modules imported, exported from or required, relative ones among them. */
  readonly modules: readonly string[];
  readonly imports: ReadonlyMap<string, ImportFact>;
  readonly declarations: DeclaredNames;
  /** Exported name → local name or re-export. */
  readonly exports: ReadonlyMap<
    string,
    { readonly local: string } | { readonly module: string; readonly name: string } | { readonly value: Value }
  >;
  readonly starExports: readonly string[];
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
  readonly handedCalls: readonly HandedCall[];
  readonly contextMembers: readonly ContextMember[];
  readonly definitions: readonly GivenDefinition[];
  readonly toolkitUses: readonly ToolkitUse[];
  readonly builderCalls: readonly BuilderCall[];
  /** Modules whose functions are given the pack; an empty name where the function is computed. With the function, as it is written. */
  readonly packGoesTo: readonly { readonly module: string; readonly callee?: Value }[];
}

/** A field that a configuration holds, and where. */
export interface GivenField {
  readonly field: FieldSpec;
  readonly property: Property;
}

export interface AuthConfig {
  readonly scope: "user" | "system";
  /** What sets it: the setter's name, or the property of newPack. */
  readonly place: Place;
  /** The setter call, where there is one. */
  readonly call?: CallFact;
  /** What is given to newPack (or the old manifest), where that holds the configuration. */
  readonly definition?: ObjectValue;
  readonly config: ObjectValue;
  /** The resolved type: a type's name, or undefined where the source does not tell. */
  readonly type?: string;
  readonly typeProperty?: Property;
  /** The fields that it holds, where the model knows the type. */
  readonly given?: readonly GivenField[];
}

export interface RunnableFact {
  readonly kind: "formula" | "syncTable";
  readonly place: Place;
  readonly definition: ObjectValue;
}

export interface ToolkitFacts {
  /** The package that it is. */
  readonly module: string;
  readonly version: string;
  /** What it exports, types among it; undefined where that cannot be read. */
  readonly exports?: ReadonlySet<string>;
  /** What the contexts have that functions are given; undefined where that cannot be read. */
  readonly contextMembers?: ReadonlySet<string>;
  /** What the builder of a pack has; undefined where that cannot be read. */
  readonly builder?: ReadonlySet<string>;
  /** Members of AuthenticationType as the installed declarations have them. */
  readonly authenticationTypes: ReadonlySet<string>;
  /** Enum → members, of every enum that is declared around authentication. */
  readonly enums: ReadonlyMap<string, ReadonlySet<string>>;
  /** Types that setSystemAuthentication takes. */
  readonly systemTypes: ReadonlySet<string>;
  /** The fields of each type's interfaces. */
  readonly fieldsByType: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every field that any type's interface declares. */
  readonly fields: ReadonlySet<string>;
  /** Field → the fields of the objects in it: of steps, params and headers. */
  readonly innerFields: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Everything that rules read. */
export interface PackModel {
  readonly entry: string;
  readonly files: readonly string[];
  /** True where the file that builds the pack is not known, or several are built: nothing may be said about what is absent from the pack. */
  readonly partial: boolean;
  readonly auths: readonly AuthConfig[];
  readonly domains: {
    readonly declared: readonly { readonly value: string; readonly place: Value; readonly conditional: boolean }[];
    /** False where a domain could not be read from the source. */
    readonly complete: boolean;
    /** Whether anything declares domains, readable or not. */
    readonly any: boolean;
  };
  /** False where a configuration, or a call that sets one, could not be read. */
  readonly authsComplete: boolean;
  readonly runnables: readonly RunnableFact[];
  /** What is known to be all there is; false where a part could not be read, or code that is not among the files may add to it. */
  readonly complete: {
    readonly runnables: boolean;
    readonly files: boolean;
    /** Nothing but the toolkit is imported from packages. */
    readonly packages: boolean;
  };
  readonly placeholders: readonly PlaceholderFact[];
  /** Of each file, in the order of `files`. */
  readonly facts: readonly FileFacts[];
  readonly toolkit?: ToolkitFacts;
  /** Where it is known that no toolkit is installed: the place where it is imported, and the command that installs it. */
  readonly missingToolkit?: { readonly place: Place; readonly install: string };
  resolve(value: Value): Value;
  /** The values that it may be, by a condition or by assignments: names that stand for one thing stay as they are. */
  options(value: Value): readonly Value[];
  text(file: string): string;
  isToolkit(module: string, from: string): boolean;
  /** The file of one's own that a module is, also by a path mapping. */
  resolveModule(from: string, module: string): string | undefined;
  /** The toolkit's module that one is named like, where it leads nowhere itself: neither to a file nor to a package that is installed or depended on. */
  meantToolkit(module: string, from: string): string | undefined;
  /** How the toolkit's namespace is written in the file: `coda.` or empty. */
  toolkitPrefix(file: string): string;
}

export type Severity = "error" | "warning" | "information";

export interface TextEdit extends Place {
  readonly text: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** One that its author has to look at, since it puts in what nobody can know, takes out what somebody wrote, or changes what the pack does. */
  readonly proposal?: true;
  /** A name put right: what is meant, whatever else could be done. */
  readonly spelling?: true;
}

export interface Finding {
  readonly place: Place;
  readonly message: string;
  /** A function where it takes work to make them: most findings are shown and never fixed, and a keystroke makes them all anew. */
  readonly fixes?: readonly Fix[] | (() => readonly Fix[]);
  /** Where it differs from the rule's own. */
  readonly severity?: Severity;
}

export interface Diagnostic {
  readonly rule: string;
  readonly severity: Severity;
  readonly place: Place;
  readonly message: string;
  /** Made when first asked for, from the model that the diagnostic was found in. */
  readonly fixes: readonly Fix[];
}
