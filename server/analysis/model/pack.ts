// The model of a pack: what all of its files say together. Rules and features read this and nothing else.
import type { Fact } from "../../../protocol/evidence.ts";
import type { FieldSpec } from "../../../spec/fields.ts";
import type { PublishedRedirect } from "../../../spec/published-redirect.ts";
import type { CallFact, FileFacts, PlaceholderFact } from "./facts.ts";
import type { FunctionReturns } from "./function-facts.ts";
import type { Names, ObjectValue, Place, Property, Value } from "./values.ts";

/** A field that a configuration holds, and where. */
export interface ConfigField {
  readonly field: FieldSpec;
  readonly property: Property;
}

export interface AuthConfig {
  readonly scope: "user" | "system";
  /** An administrator's, with the fields of a user's. */
  readonly isAdmin?: true;
  /** What sets it: the setter's name, or the property of newPack. */
  readonly place: Place;
  /** The setter call, where there is one. */
  readonly call?: CallFact;
  /** The argument of newPack (or the old manifest), where that holds the configuration. */
  readonly definition?: ObjectValue;
  readonly config: ObjectValue;
  /** The resolved type: a type's name, or undefined where the source does not tell. */
  readonly type?: string;
  readonly typeProperty?: Property;
  /** The fields that it holds, where the model knows the type. */
  readonly fields?: readonly ConfigField[];
}

/** An authentication that administrators connect: the toolkit hides it. */
export interface AdminAuthentication {
  /** The method's name. */
  readonly place: Place;
  readonly definition: ObjectValue;
  /** What its `authentication` may be, with the fields of a user's. */
  readonly auths: readonly AuthConfig[];
}

export interface RunnableFact {
  readonly kind: "formula" | "syncTable";
  readonly place: Place;
  readonly definition: ObjectValue;
}

/** An MCP server that the pack declares. */
export interface ServerFact {
  readonly place: Place;
  readonly definition: ObjectValue;
  /** As with {@link CallFact}. */
  readonly statement?: Place;
  /** Declared under a condition, or in a loop: another one may stand in its place. */
  readonly conditional: boolean;
}

export interface ToolkitFacts {
  /** The package that it is. */
  readonly module: string;
  readonly version: string;
  /** It is installed for ES modules, which get all of a CommonJS package as its default export. */
  readonly inEsModules?: boolean;
  /** What it exports, types among it; undefined where that cannot be read. */
  readonly exports?: ReadonlySet<string>;
  /** Of these, the types: they are gone when the pack runs. */
  readonly exportedTypes?: ReadonlySet<string>;
  /** The members of the contexts that functions get; undefined where that cannot be read. */
  readonly contextMembers?: ReadonlySet<string>;
  /** What the builder of a pack has; undefined where that cannot be read. */
  readonly builder?: ReadonlySet<string>;
  /** The same of an agent; undefined too where the toolkit has none. */
  readonly agentBuilder?: ReadonlySet<string>;
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
  /** Field → the fields of the objects in it, where they can be read: of steps, params and headers, of MCP servers, of updateOptions. */
  readonly innerFields: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What is made of an object once; by the function that makes it. */
export type Memo = <Key extends object, Result>(key: Key, make: (key: Key) => Result) => Result;

export interface DeclaredDomain {
  readonly value: string;
  readonly expression: Value;
  readonly conditional: boolean;
}

/** Everything that rules read. */
export interface PackModel extends Names, Pick<PackSources, "isToolkit" | "closestToolkit" | "resolveModule"> {
  readonly entry: string;
  readonly files: readonly string[];
  /** True where the file that builds the pack is not known, or several are built: nothing may be said about what is absent from the pack. */
  readonly partial: boolean;
  readonly auths: readonly AuthConfig[];
  readonly domains: {
    readonly declared: readonly DeclaredDomain[];
    /** What stands in the place of a domain, and is known to be no text. */
    readonly noTexts: readonly Value[];
    /** False where a domain could not be read from the source. */
    readonly complete: boolean;
    /** Whether anything declares domains, readable or not. */
    readonly any: boolean;
  };
  /** False where a configuration, or a call that sets one, could not be read. */
  readonly authsComplete: boolean;
  readonly adminAuthentications: readonly AdminAuthentication[];
  readonly runnables: readonly RunnableFact[];
  readonly mcpServers: readonly ServerFact[];
  /** What is known to be all there is; false where a part could not be read, or code that is not among the files may add to it. */
  readonly complete: {
    readonly runnables: boolean;
    /** The user's and the system's authentication; `authsComplete` is of the administrators', too. */
    readonly users: boolean;
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
  text(file: string): string;
  /** What the function at the place says, as in {@link FileFacts}. */
  functionAt(place: Place): FunctionReturns | undefined;
  /** How the toolkit's namespace is written in the file: `coda.` or empty. */
  toolkitPrefix(file: string): string;
  /** What the published pack needs registered at a provider. Read when it is asked for. */
  publishedRedirect(): PublishedRedirect;
  /** What sign-ins and runs showed of it, as the host told. */
  readonly evidence: readonly Fact[];
  /** Keeps what is made of this model. */
  readonly memo: Memo;
  /** Keeps what is made of resolved values alone: it is the next model's, too, where each value resolves to the same there. */
  readonly resolverMemo: Memo;
}

export interface PackSources {
  /** Facts of a file; undefined where it cannot be read. */
  facts(file: string): FileFacts | undefined;
  /** An import of a file of one's own → that file, also by a path mapping; undefined for packages. */
  resolveModule(from: string, module: string): string | undefined;
  /** Whether the module counts as the toolkit in a file. */
  isToolkit(module: string, from: string): boolean;
  /** The toolkit's module that one is named like, where it leads nowhere itself: neither to a file nor to a package that is installed or depended on. */
  closestToolkit(module: string, from: string): string | undefined;
  /** The text of a file, whatever it is; undefined where it cannot be read. */
  read(path: string): string | undefined;
  /** What sign-ins and runs showed of the pack that starts from the entry. */
  evidence(entry: string): readonly Fact[];
}
