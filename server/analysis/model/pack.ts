// The model of a pack, combined from the facts of all its files. Rules and features read nothing else.
import type { Fact } from "../../../protocol/evidence.ts";
import type { FieldSpec } from "../../../spec/fields.ts";
import type { PublishedRedirect } from "../../../spec/published-redirect.ts";
import type { CallFact, FileFacts, PlaceholderFact } from "./facts.ts";
import type { FunctionReturns } from "./function-facts.ts";
import type { Expression, Names, ObjectValue, Place, Property } from "./values.ts";

/** A field of a configuration, and its property in the source. */
export interface ConfigField {
  readonly field: FieldSpec;
  readonly property: Property;
}

export interface AuthConfig {
  readonly scope: "user" | "system";
  /** Whether an administrator's authentication contains the configuration. It has the fields of a user's. */
  readonly isAdmin: boolean;
  /** The name of the setter, or the property of newPack. */
  readonly place: Place;
  /** The setter call, if there is one. */
  readonly call?: CallFact;
  /** The argument of newPack (or the old manifest), if it contains the configuration. */
  readonly definition?: ObjectValue;
  readonly config: ObjectValue;
  /** The name of the resolved type; undefined if the source does not say. */
  readonly type?: string;
  readonly typeProperty?: Property;
  /** The fields of the configuration, if the model knows its type. */
  readonly fields?: readonly ConfigField[];
}

/** An authentication that administrators connect; the SDK marks it as hidden. */
export interface AdminAuthentication {
  /** The place of the method's name. */
  readonly place: Place;
  readonly definition: ObjectValue;
  /** The possible values of its `authentication`, with the fields of a user's. */
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
  /** Whether it is declared under a condition or in a loop, so that another server may be declared instead. */
  readonly conditional: boolean;
}

export interface ToolkitFacts {
  /** The name of the SDK's package. */
  readonly module: string;
  readonly version: string;
  /** Whether the SDK is installed for ES modules, which get all of a CommonJS package as its default export. */
  readonly inEsModules: boolean;
  /** Its exports, including types; undefined if they cannot be read. */
  readonly exports?: ReadonlySet<string>;
  /** The exports that are types, and so do not exist when the pack runs. */
  readonly exportedTypes: ReadonlySet<string>;
  /** The members of the contexts that functions receive; undefined if they cannot be read. */
  readonly contextMembers?: ReadonlySet<string>;
  /** The members of the pack builder; undefined if they cannot be read. */
  readonly builder?: ReadonlySet<string>;
  /** The members of the agent builder; undefined if they cannot be read or the SDK has no agents. */
  readonly agentBuilder?: ReadonlySet<string>;
  /** Members of AuthenticationType in the installed declarations. */
  readonly authenticationTypes: ReadonlySet<string>;
  /** Members by enum, for every enum declared for authentication. */
  readonly enums: ReadonlyMap<string, ReadonlySet<string>>;
  /** Types that setSystemAuthentication accepts. */
  readonly systemTypes: ReadonlySet<string>;
  /** The fields of each type's interfaces. */
  readonly fieldsByType: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every field that any type's interface declares. */
  readonly fields: ReadonlySet<string>;
  /**
   * The fields of nested objects by the field that contains them, if they can be read: steps, params, headers, MCP servers, updateOptions.
   */
  readonly innerFields: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the result of `make` for an object, computed once. Results are kept by the `make` function. */
export type Memo = <Key extends object, Result>(key: Key, make: (key: Key) => Result) => Result;

export interface DeclaredDomain {
  readonly value: string;
  readonly expression: Expression;
  readonly conditional: boolean;
}

/** The pack's model that rules read. */
export interface PackModel extends Names, Pick<PackSources, "isToolkit" | "closestToolkit" | "resolveModule"> {
  readonly entry: string;
  readonly files: readonly string[];
  /** True if the file that builds the pack is unknown or builds several packs. Then no rule may flag anything absent from the pack. */
  readonly partial: boolean;
  readonly auths: readonly AuthConfig[];
  readonly domains: {
    readonly declared: readonly DeclaredDomain[];
    /** Values in the place of a domain that are known not to be strings. */
    readonly noTexts: readonly Expression[];
    /** False if a domain could not be read from the source. */
    readonly complete: boolean;
    /** Whether any code declares domains, readable or not. */
    readonly any: boolean;
  };
  /** False if a configuration, or a call that sets one, could not be read. */
  readonly authsComplete: boolean;
  readonly adminAuthentications: readonly AdminAuthentication[];
  readonly runnables: readonly RunnableFact[];
  readonly mcpServers: readonly ServerFact[];
  /** Which parts of the model are complete. A part is not if some of it could not be read, or code outside the files may add to it. */
  readonly complete: {
    readonly runnables: boolean;
    /** The user's and the system's authentication; `authsComplete` includes the administrators'. */
    readonly users: boolean;
    readonly files: boolean;
    /** Whether the SDK is the only imported package. */
    readonly packages: boolean;
  };
  readonly placeholders: readonly PlaceholderFact[];
  /** The facts of each file, in the order of `files`. */
  readonly facts: readonly FileFacts[];
  readonly toolkit?: ToolkitFacts;
  /** Set if no SDK is installed: the place of its import, and the command that installs it. */
  readonly missingToolkit?: { readonly place: Place; readonly install: string };
  text(file: string): string;
  /** Returns the facts of the function at the place, as in {@link FileFacts}. */
  functionAt(place: Place): FunctionReturns | undefined;
  /** Returns how the file writes the SDK's namespace: `coda.` or empty. */
  toolkitPrefix(file: string): string;
  /** Returns the redirect URL that the published pack needs registered at a provider. It is computed on request. */
  publishedRedirect(): PublishedRedirect;
  /** What sign-ins and runs showed of the pack, as the host reported it. */
  readonly evidence: readonly Fact[];
  /** Keeps results that depend on this model. */
  readonly memo: Memo;
  /** Keeps results that depend on resolved values only. The next model shares it if each value resolves to the same there. */
  readonly resolverMemo: Memo;
}

export interface PackSources {
  /** Returns the facts of a file, or undefined if the file cannot be read. */
  facts(file: string): FileFacts | undefined;
  /** Returns the workspace file that an import leads to, also by a path mapping; undefined for packages. */
  resolveModule(from: string, module: string): string | undefined;
  /** Whether the module counts as the SDK in a file. */
  isToolkit(module: string, from: string): boolean;
  /**
   * Returns the SDK's module whose name `module` resembles. Returns undefined if `module` leads to a file, or to an installed or declared
   * package.
   */
  closestToolkit(module: string, from: string): string | undefined;
  /** Returns the text of any file, or undefined if the file cannot be read. */
  read(path: string): string | undefined;
  /** Returns what sign-ins and runs showed of the pack that starts from the entry. */
  evidence(entry: string): readonly Fact[];
}
