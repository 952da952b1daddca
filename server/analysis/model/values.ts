// What an expression is, and where it stands. Offsets are UTF-16 code units.

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span in a file, as plain numbers: for what leaves the analysis, or is made for one answer. */
export interface FileSpan extends Span {
  readonly file: string;
}

/**
 * Where something stands. Facts outlive edits: their places ask where the statement stands now (see text/place.ts). That they do so by
 * getters is said here, so that the compiler finds whoever would spread one and lose them; a plain {@link FileSpan} serves as well.
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
      readonly nameSpan: Place;
    })
  /** `NAME` or `urls.token`, resolved over the pack's files when it is asked for. */
  | (ValueAt<"reference"> & { readonly path: readonly string[] /** The last name of the path. */; readonly nameSpan: Place })
  /** One of several, by a condition: unknown to all but those who look at each. */
  | ChoiceValue
  /** A template or a `+` of texts. */
  | (ValueAt<"template"> & { readonly parts: readonly Value[] })
  | (ValueAt<"unknown"> & {
      /** The name under which it is known, where that is all that is: of a parameter, of something that the platform gives. */
      readonly path?: readonly string[];
      /** The function that returns it, and its arguments, where they are known. */
      readonly callee?: Value;
      readonly arguments?: readonly Value[];
      /** Each item of a list, one after the other. */
      readonly each?: Value;
      /** What a parameter stands for there: of one call, what that gives. */
      readonly standsFor?: Value;
      /** The class that it is made of. */
      readonly classValue?: Value;
      /** A property whose name is computed: `[KEY]: value`, standing where an object spreads something in. */
      readonly keyed?: { readonly key: Value; readonly property: Omit<Property, "name"> };
      /** `HOSTS[ENV]`: what is looked up, and in what. */
      readonly lookup?: { readonly object: Value; readonly key: Value };
      /** What a function makes of each item of a list: `list.map(…)`. */
      readonly mapped?: { readonly list: Value; readonly by: Value };
      /** Known to be of a kind that no field takes. */
      readonly builtIn?: BuiltIn;
      /** What newPack or newAgent gives back. */
      readonly builder?: "pack" | "agent";
      /** What it is made of, by a function that is known. */
      readonly call?: { readonly name: string; readonly arguments: readonly Value[] };
    });

export type BuiltIn = "RegExp" | "Date" | "URL" | "BigInt" | "Promise";

/** What a value comes down to: never a reference or a choice. */
export type Resolve = (value: Value) => Value;

/** What names stand for. */
export interface Names {
  readonly resolve: Resolve;
  /** The values that it may be, by a condition or by assignments: names that stand for one thing stay as they are. */
  options(value: Value): readonly Value[];
}

export interface ChoiceValue extends ValueAt<"choice"> {
  readonly options: readonly Value[];
  /** Of two: the first where it is something, and else the second. */
  readonly by?: "||" | "??";
  /** Of two: the first where this name holds, and else the second. */
  readonly test?: Value;
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
  /** What it is for each of the objects that a condition spreads in: the other conditions are left open. Of a resolved one. */
  readonly alternatives?: readonly ObjectValue[];
  /** Properties that the literal has, and that are taken out before it is used: `delete config.name`. */
  readonly deleted?: readonly string[];
  /** A spread or computed key that could not be read: there may be more fields. */
  readonly open: boolean;
  /** It is open by conditions alone: there may be the fields of its sources, and no others. Of a resolved one. */
  readonly openToSources?: boolean;
  /** From the first thing between its braces to the end of the last; undefined where it is empty. */
  readonly members?: Place;
  readonly trailingComma: boolean;
}
