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
  readonly value: Value;
}

interface ValueAt<K extends string> {
  readonly kind: K;
  readonly place: Place;
}

/** The value of an expression, as far as the source determines it. "unknown" is never guessed. */
export type Value =
  | (ValueAt<"string"> & { readonly value: string })
  | (ValueAt<"number"> & { readonly value: number })
  | (ValueAt<"boolean"> & { readonly value: boolean })
  | ValueAt<"null">
  | ValueAt<"undefined">
  | ListValue
  | ObjectValue
  | (ValueAt<"function"> & { readonly async: boolean })
  /** A member of one of the SDK's enums: `coda.AuthenticationType.OAuth2`. */
  | (ValueAt<"member"> & {
      readonly enum: string;
      readonly name: string /** The source before `.Name`. */;
      readonly prefix: string;
      readonly nameSpan: Place;
    })
  /** A reference, `NAME` or `urls.token`, which is resolved across the pack's files on demand. */
  | (ValueAt<"reference"> & { readonly path: readonly string[] /** The last name of the path. */; readonly nameSpan: Place })
  /** One of several values, depending on a condition. It is unknown to code that does not look at each option. */
  | ChoiceValue
  /** A template, or strings joined by `+`. */
  | (ValueAt<"template"> & { readonly parts: readonly Value[] })
  | (ValueAt<"unknown"> & {
      /** The path of names, if nothing else is known, as for a parameter or an object from the platform. */
      readonly path?: readonly string[];
      /** The function that returns the value and its arguments, if they are known. */
      readonly callee?: Value;
      readonly arguments?: readonly Value[];
      /** The list, if the value is each of its items in turn. */
      readonly each?: Value;
      /** The value of a parameter in one call. */
      readonly standsFor?: Value;
      /** The class of which it is an instance. */
      readonly classValue?: Value;
      /** A property with a computed name, `[KEY]: value`, which is kept among the spreads of the object. */
      readonly keyed?: { readonly key: Value; readonly property: Omit<Property, "name"> };
      /** The object and the key of `HOSTS[ENV]`. */
      readonly lookup?: { readonly object: Value; readonly key: Value };
      /** The list and the function of `list.map(…)`. */
      readonly mapped?: { readonly list: Value; readonly by: Value };
      /** A kind of object that no field accepts. */
      readonly builtIn?: BuiltIn;
      /** Set if newPack or newAgent returned the value. */
      readonly builder?: "pack" | "agent";
      /** The known function that computes the value, with its arguments. */
      readonly call?: { readonly name: string; readonly arguments: readonly Value[] };
    });

export type BuiltIn = "RegExp" | "Date" | "URL" | "BigInt" | "Promise";

/** Returns what a value comes down to: never a reference or a choice. */
export type Resolve = (value: Value) => Value;

/** Resolves names to values. */
export interface Names {
  readonly resolve: Resolve;
  /** Returns the possible values of a value, by conditions or by assignments. A name with only one value is returned as it is. */
  options(value: Value): readonly Value[];
}

export interface ChoiceValue extends ValueAt<"choice"> {
  readonly options: readonly Value[];
  /** For two options: the operator that takes the first if it is set, and else the second. */
  readonly by?: "||" | "??";
  /** For two options: the name that decides; if it is truthy the value is the first, and else the second. */
  readonly test?: Value;
}

export interface ListValue extends ValueAt<"array"> {
  /** Its own items; after resolving, also those of its spreads, whose places may be elsewhere. */
  readonly items: readonly Value[];
  /** Values spread in before the item of that index; absent if there are none, and after resolving. */
  readonly spreads?: readonly { readonly before: number; readonly value: Value }[];
  /** Whether there may be more items, because a spread could not be read or is not resolved yet. */
  readonly open: boolean;
}

export interface ObjectValue extends ValueAt<"object"> {
  /** Its own properties; after resolving, also those of its spreads, whose places may be elsewhere. */
  readonly properties: readonly Property[];
  /** Values spread in before the property of that index; empty after resolving. */
  readonly spreads: readonly { readonly before: number; readonly value: Value }[];
  /** Of a resolved object: the objects that are spread in, perhaps under a condition. */
  readonly sources?: readonly ObjectValue[];
  /** Of a resolved object: its value for each object that a condition spreads in, with the other conditions left open. */
  readonly alternatives?: readonly ObjectValue[];
  /** Properties of the literal that are deleted before it is used: `delete config.name`. */
  readonly deleted?: readonly string[];
  /** Whether a spread or computed key could not be read, so that there may be more fields. */
  readonly open: boolean;
  /** Of a resolved object: whether only conditions leave it open, so that its fields can come from its sources only. */
  readonly openToSources?: boolean;
  /** From the first token between its braces to the end of the last; undefined if it is empty. */
  readonly members?: Place;
  readonly trailingComma: boolean;
}
