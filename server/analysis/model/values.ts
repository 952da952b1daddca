// The values of expressions, and their places. Offsets are UTF-16 code units.

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span in a file, as plain numbers: for data that leaves the analysis, or is computed for one answer. */
export interface FileSpan extends Span {
  readonly file: string;
}

/**
 * The place of something in a file. Facts outlive edits, so a place computes where its statement is now (see text/place.ts). Declaring
 * getters makes the compiler reject code that would lose them by spreading a place. A plain {@link FileSpan} is a place too.
 */
export declare class Place {
  get file(): string;
  get start(): number;
  get end(): number;
}

export interface Property {
  readonly name: string;
  readonly nameSpan: Place;
  /** The whole property, without the comma after it. */
  readonly span: Place;
  readonly value: Expression;
}

interface At<K extends string> {
  readonly kind: K;
  readonly place: Place;
}

/** What an expression comes down to, as far as the source determines it. "unknown" is never guessed. */
export type Value =
  | (At<"string"> & { readonly value: string })
  | (At<"number"> & { readonly value: number })
  | (At<"boolean"> & { readonly value: boolean })
  | At<"null">
  | At<"undefined">
  | ListValue
  | ObjectValue
  | FunctionValue
  | EnumMember
  | Template
  | ComputedText
  | ConstructedUrl
  | Instance
  | BuiltInObject
  | Builder
  | Item
  | Parameter
  | Unknown;

/** An expression of the source before its names are followed, or a value. */
export type Expression =
  | Value
  | Reference
  | Choice
  | Call
  | NewPack
  | NewUrl
  | LookUp
  | MappedList
  | BoundParameter
  | ComputedProperty
  | Comparison
  | Remainder;

export type Unknown = At<"unknown">;

export interface FunctionValue extends At<"function"> {
  readonly async: boolean;
  /** For a function that another one returns: binds the names of the call that created it. Absent before resolving. */
  readonly bind?: (value: Expression) => Expression;
  /** The arguments that `bind` set. */
  readonly leading?: readonly Expression[];
  /** The object that the function was read from, which it calls `this`. Absent before resolving. */
  readonly receiver?: Instance | ObjectValue;
}

/** A member of one of the SDK's enums: `coda.AuthenticationType.OAuth2`. */
export interface EnumMember extends At<"member"> {
  readonly enum: string;
  readonly name: string;
  /** The source before `.Name`. */
  readonly prefix: string;
  readonly nameSpan: Place;
}

/** A template, or strings joined by `+`. Once it is resolved, at least one of its parts is no text. */
export interface Template extends At<"template"> {
  readonly parts: readonly Expression[];
}

/** A string that a known function computes from its arguments, such as a URL helper of the SDK. */
export interface ComputedText extends At<"computed"> {
  readonly name: string;
  readonly arguments: readonly Expression[];
}

/** `new URL(path, base)`. */
export interface ConstructedUrl extends At<"url"> {
  readonly arguments: readonly Expression[];
  /** Whether it is the URL's text, as `href` returns it, and not the object. */
  readonly isText: boolean;
}

/** `new Name(…)`. */
export interface Instance extends At<"instance"> {
  readonly class: Expression;
  /** Undefined if a spread that could not be read hides them. */
  readonly arguments: readonly Expression[] | undefined;
  /** What ran on the object since, if the object is followed there. Absent before resolving. */
  readonly history?: History;
  /** Whether the object has a name, so that other code may call its methods. */
  readonly isShared?: boolean;
  /** Only methods of the classes above that of this function: `super`. */
  readonly above?: Place;
}

/** What a constructor or method has done to an object so far, and what was done before it. */
export interface History {
  readonly code: Steps;
  /** How many of the steps have run. */
  readonly count: number;
  readonly arguments: readonly Expression[] | undefined;
  readonly before: History | undefined;
}

/** What a function does to the object that it calls `this`, in order. */
export interface Steps {
  readonly place: Place;
  readonly bindings: readonly Binding[];
  /**
   * A step without a field writes all properties of its value. If that is unknown, the step may do anything; `isOwnCall` says that a method
   * of the object does it.
   */
  readonly steps: readonly { readonly field?: string; readonly value: Expression; readonly isOwnCall?: boolean }[];
  /** How many of the steps have run when the last `return` begins. */
  readonly atReturn: number;
}

/** A name that a parameter declares for the whole argument, or for a property of the argument. */
export interface Binding {
  readonly name: string;
  readonly index: number;
  readonly property?: string;
  /** The default value of the name. */
  readonly standard?: Expression;
  /** The default value of a destructured parameter. */
  readonly whole?: Expression;
  /** Whether it is the list of the remaining arguments. */
  readonly isRest?: boolean;
  /** The properties of the argument that other names destructure, for the rest of them. */
  readonly without?: readonly Expression[];
}

/** A kind of object that no field accepts. */
export interface BuiltInObject extends At<"builtIn"> {
  readonly of: BuiltIn;
}

export type BuiltIn = "RegExp" | "Date" | "URL" | "BigInt" | "Promise";

/** What newPack or newAgent returns. */
export interface Builder extends At<"builder"> {
  readonly builds: "pack" | "agent";
}

/** Each item of a list in turn, as in a loop. */
export interface Item extends At<"item"> {
  readonly list: Expression;
}

/** A path of names of which nothing else is known, such as a parameter or an object from the platform. */
export interface Parameter extends At<"parameter"> {
  readonly path: readonly string[];
}

/** `NAME` or `urls.token`, which is resolved across the pack's files on demand. */
export interface Reference extends At<"reference"> {
  readonly path: readonly string[];
  /** The last name of the path. */
  readonly nameSpan: Place;
}

/** One of several values, depending on a condition. It is unknown to code that does not look at each option. */
export interface Choice extends At<"choice"> {
  readonly options: readonly Expression[];
  /** What decides between two options: an operator that takes the first if it is set, or an expression, if that is truthy. */
  readonly decidedBy: "||" | "??" | Expression | "unknown";
}

/** A function and what it is called with. */
export interface Called {
  readonly callee: Expression;
  /** Undefined if they do not matter, as for the SDK's functions. A spread is a list. */
  readonly arguments: readonly Expression[] | undefined;
}

/** A call of a function that may belong to the pack. */
export interface Call extends At<"call">, Called {}

/** A call of a function named newPack: a pack, unless the function belongs to the pack and returns something else. */
export interface NewPack extends At<"newPack">, Called {}

/** `new URL(path, base)`, unless the pack declares a class of that name. */
export interface NewUrl extends At<"newUrl"> {
  readonly class: Reference;
  readonly url: ConstructedUrl;
}

/** `HOSTS[ENV]`, or a member of a computed object: `settings().url`. */
export interface LookUp extends At<"lookUp"> {
  readonly object: Expression;
  readonly key: Expression;
}

/** `list.map(by)`. */
export interface MappedList extends At<"map"> {
  readonly list: Expression;
  readonly by: Expression;
}

/** A parameter's name, with its value in one call. */
export interface BoundParameter extends At<"bound"> {
  readonly value: Expression;
}

/** A property with a computed name, `[KEY]: value`, which is listed among the spreads of its object. */
export interface ComputedProperty extends At<"property"> {
  readonly key: Expression;
  readonly property: Omit<Property, "name">;
}

/** `ENV === "production"`; `negated` for `!==`. */
export interface Comparison extends At<"comparison"> {
  readonly left: Expression;
  readonly right: Expression;
  readonly negated: boolean;
}

/** The rest of a destructured object: `config` of `const { comment, ...config } = object`. */
export interface Remainder extends At<"remainder"> {
  readonly object: Expression;
  /** The names of the other parts. */
  readonly without: readonly Expression[];
}

/** Returns what an expression comes down to. A choice between several values is unknown. */
export type Resolve = (expression: Expression) => Value;

/** Resolves names to values. */
export interface Names {
  readonly resolve: Resolve;
  /** Returns the possible values of an expression, by conditions or by assignments. A name with only one value is returned as it is. */
  options(expression: Expression): readonly Expression[];
}

export interface ListValue extends At<"array"> {
  /** Its own items; after resolving, also those of its spreads, whose places may be elsewhere. */
  readonly items: readonly Expression[];
  /** Values spread in before the item of that index; empty after resolving. */
  readonly spreads: readonly { readonly before: number; readonly value: Expression }[];
  /** Whether there may be more items, because a spread could not be read or is not resolved yet. */
  readonly open: boolean;
  /** Whether equal items are one. */
  readonly isSet?: boolean;
}

export interface ObjectValue extends At<"object"> {
  /** Its own properties; after resolving, also those of its spreads, whose places may be elsewhere. */
  readonly properties: readonly Property[];
  /** Values spread in before the property of that index; empty after resolving. */
  readonly spreads: readonly { readonly before: number; readonly value: Expression }[];
  /** What its spreads come down to; absent if it has none, and before resolving. */
  readonly merged?: Merged;
  /** Properties of the literal that are deleted before it is used: `delete config.name`. */
  readonly deleted?: readonly string[];
  /** Whether a spread or computed key could not be read, so that there may be more fields. */
  readonly open: boolean;
  /** From the first token between its braces to the end of the last; undefined if it is empty. */
  readonly members?: Place;
  readonly trailingComma: boolean;
}

/** The spreads of a resolved object. */
export interface Merged {
  /** The objects that are spread in, perhaps under a condition. */
  readonly sources: readonly ObjectValue[];
  /** The object for each of these that a condition spreads in, with the other conditions left open. */
  readonly alternatives: readonly ObjectValue[];
  /** Whether only conditions leave the object open, so that its fields can come from its sources only. */
  readonly openToSources: boolean;
}
