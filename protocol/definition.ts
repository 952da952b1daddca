// What a running pack says of itself, as plain JSON. The pack process makes it from the loaded pack, host and panel read it:
// when connecting and running, this definition is the truth, not the source text.
import type { TableFunction } from "./run.ts";

/** A pack's definition: the part of its manifest that connecting and running need. */
export interface PackDefinition {
  /** The declared network domains, as written. */
  readonly networkDomains: readonly string[];
  readonly mcpServers?: readonly McpServerDefinition[];
  readonly userAuthentication?: AuthenticationDefinition;
  readonly systemAuthentication?: AuthenticationDefinition;
  readonly formulas: readonly FormulaDefinition[];
  readonly syncTables: readonly SyncTableDefinition[];
  /** The entry file exports it under no name that the platform looks for: not as `pack`, and not as `manifest`. */
  readonly isUnnamed?: boolean;
}

/**
 * An authentication configuration as the pack holds it at run time. Functions are replaced by flags: the pack process runs
 * them when it is asked to ({@link AuthenticationFunction}).
 */
export interface AuthenticationDefinition {
  readonly type: string;
  readonly instructionsUrl?: string;
  readonly requiresEndpointUrl?: boolean;
  readonly endpointDomain?: string;
  readonly networkDomain?: string | readonly string[];
  /** The domains that get credentials, whether chosen or all that are declared; the host writes them out. */
  readonly credentialDomains?: readonly string[];
  readonly hasGetConnectionName: boolean;
  readonly postSetup: readonly PostSetupDefinition[];

  readonly headerName?: string;
  readonly tokenPrefix?: string;
  readonly paramName?: string;
  readonly headers?: readonly NamedCredential[];
  readonly params?: readonly NamedCredential[];
  readonly uxConfig?: {
    readonly placeholderUsername?: string;
    readonly placeholderPassword?: string;
    readonly usernameOnly?: boolean;
  };
  readonly service?: string;

  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly scopes?: readonly string[];
  readonly scopeDelimiter?: string;
  readonly scopeParamName?: string;
  readonly tokenQueryParam?: string;
  readonly nestedResponseKey?: string;
  readonly resource?: string;
  readonly credentialsLocation?: "Automatic" | "Body" | "AuthorizationHeader";
  readonly additionalParams?: Readonly<Record<string, unknown>>;
  readonly endpointKey?: string;
  readonly useProofKeyForCodeExchange?: boolean;
  readonly pkceChallengeMethod?: "plain" | "S256";
  readonly useDynamicClientRegistration?: boolean;
}

interface NamedCredential {
  readonly name: string;
  readonly description: string;
  readonly tokenPrefix?: string;
}

/** An MCP server that the pack declares: its tools are the pack's, and dynamic client registration asks it for its provider. */
export interface McpServerDefinition {
  readonly name: string;
  /** Absolute, or from the root of the account's endpoint, such as `/mcp`. */
  readonly endpointUrl: string;
}

export type ConnectionRequirement = "none" | "optional" | "required";

interface PostSetupDefinition {
  readonly name: string;
  readonly description: string;
  /** Whether getOptions, or its former name, is there. */
  readonly hasOptions: boolean;
}

/** What a form asks for: of a formula, of a sync table, or of an MCP server's tool. */
export interface RunnableDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters: readonly ParameterDefinition[];
  readonly varargParameters: readonly ParameterDefinition[];
  readonly connectionRequirement: ConnectionRequirement;
  /** What it needs beyond the authentication's scopes. */
  readonly extraOAuthScopes?: readonly string[];
  /** Of the result, as JSON. */
  readonly schema?: unknown;
}

export interface FormulaDefinition extends RunnableDefinition {
  readonly isAction: boolean;
  /** The name of the toolkit's result type. */
  readonly resultType?: string;
  /** Its examples, as plain data; `params` are in the order of the parameters. */
  readonly examples?: readonly { readonly params?: readonly unknown[]; readonly result?: unknown }[];
}

/** Whether a run changes something: an edit of a table's rows, and what the pack says is an action. */
export const changesData = (
  { formulas }: Pick<PackDefinition, "formulas">,
  target: { readonly kind: string; readonly name?: string },
): boolean =>
  target.kind === "update" || (target.kind === "formula" && formulas.some(({ name, isAction }) => name === target.name && isAction));

export interface SyncTableDefinition extends RunnableDefinition {
  readonly isDynamic: boolean;
  /** In place of `extraOAuthScopes` where rows are written back: `updateOptions`. */
  readonly updateOAuthScopes?: readonly string[];
  /** The functions that the table has. */
  readonly functions?: readonly TableFunction[];
  /** Whether rows can be written back: `executeUpdate`. */
  readonly isTwoWay?: boolean;
  /** Rows that `executeUpdate` takes at once; one, where the pack names no number. */
  readonly updateBatchSize?: number;
  readonly hasValidateParameters?: boolean;
}

/** The scalar kinds of the toolkit's parameters; an MCP tool's may be JSON. */
export type ParameterKind =
  | "string"
  | "number"
  | "boolean"
  | "date"
  | "html"
  | "image"
  | "file"
  | "markdown"
  | "email"
  | "json"
  | "unknown";

export interface ParameterDefinition {
  readonly name: string;
  readonly description: string;
  readonly kind: ParameterKind;
  /** "array" takes a list of the kind; "sparseArray" may hold blanks. */
  readonly shape: "scalar" | "array" | "sparseArray";
  readonly optional: boolean;
  readonly suggestedValue?: unknown;
  readonly hasAutocomplete: boolean;
  /** Texts of which it is one: an MCP tool's. */
  readonly choices?: readonly string[];
}
