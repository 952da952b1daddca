// The definition of a running pack, as plain JSON. The pack process builds it from the loaded pack; the host and the panel read it.
// Connecting and running rely on this definition, not on the source text.
import type { ConfigurationValues } from "../spec/configuration-fields.ts";
import type { ENUMS } from "../spec/fields.ts";
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
  /** True if the entry file exports the pack neither as `pack` nor as `manifest`, the names that the platform looks for. */
  readonly isUnnamed?: boolean;
}

/**
 * An authentication configuration as the pack has it at run time. Flags replace the functions: the pack process runs a function when the
 * host requests it ({@link AuthenticationFunction}).
 */
export interface AuthenticationDefinition extends ConfigurationValues {
  readonly type: string;
  /** The domains that receive credentials: the chosen ones, or all declared domains. The host fills this in. */
  readonly credentialDomains?: readonly string[];
  readonly hasGetConnectionName: boolean;
  readonly postSetup: readonly PostSetupDefinition[];
}

/** An MCP server that the pack declares. The pack offers its tools, and dynamic client registration discovers the provider from it. */
export interface McpServerDefinition {
  readonly name: string;
  /** An absolute URL, or a path from the root of the account's endpoint, such as `/mcp`. */
  readonly endpointUrl: string;
}

type Requirements = (typeof ENUMS)["ConnectionRequirement"];
export type ConnectionRequirement = Requirements[keyof Requirements];

interface PostSetupDefinition {
  readonly name: string;
  readonly description: string;
  /** Whether the step has `getOptions`, or the former name of this function. */
  readonly hasOptions: boolean;
}

/** The data for a form: of a formula, of a sync table, or of an MCP server's tool. */
export interface RunnableDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters: readonly ParameterDefinition[];
  readonly varargParameters: readonly ParameterDefinition[];
  readonly connectionRequirement: ConnectionRequirement;
  /** The scopes that the formula or table needs in addition to those of the authentication. */
  readonly extraOAuthScopes?: readonly string[];
  /** The schema of the result, as JSON. */
  readonly schema?: unknown;
}

export interface FormulaDefinition extends RunnableDefinition {
  readonly isAction: boolean;
  /** The name of the Packs SDK's result type. */
  readonly resultType?: string;
  /** The formula's examples, as plain data; `params` follow the order of the parameters. */
  readonly examples?: readonly { readonly params?: readonly unknown[]; readonly result?: unknown }[];
}

/** Returns whether a run changes data: an edit of a table's rows, or a formula that the pack declares as an action. */
export const changesData = (
  { formulas }: Pick<PackDefinition, "formulas">,
  target: { readonly kind: string; readonly name?: string },
): boolean =>
  target.kind === "update" || (target.kind === "formula" && formulas.some(({ name, isAction }) => name === target.name && isAction));

export interface SyncTableDefinition extends RunnableDefinition {
  readonly isDynamic: boolean;
  /** The scopes for writing rows back, in place of `extraOAuthScopes` (`updateOptions`). */
  readonly updateOAuthScopes?: readonly string[];
  /** The functions that the table defines. */
  readonly functions?: readonly TableFunction[];
  /** Whether rows can be written back (`executeUpdate`). */
  readonly isTwoWay?: boolean;
  /** The number of rows that one call of `executeUpdate` takes; 1 by default. */
  readonly updateBatchSize?: number;
  readonly hasValidateParameters?: boolean;
}

/** The scalar kinds of the Packs SDK's parameters. */
export const PARAMETER_KINDS = ["string", "number", "boolean", "date", "html", "image", "file", "markdown", "email"] as const;
/** A parameter of an MCP tool may also be JSON. */
export type ParameterKind = (typeof PARAMETER_KINDS)[number] | "json" | "unknown";

export interface ParameterDefinition {
  readonly name: string;
  readonly description: string;
  readonly kind: ParameterKind;
  /** "array" takes a list of the kind; a "sparseArray" may also contain blanks. */
  readonly shape: "scalar" | "array" | "sparseArray";
  readonly optional: boolean;
  readonly suggestedValue?: unknown;
  readonly hasAutocomplete: boolean;
  /** The allowed strings; only for the parameters of MCP tools. */
  readonly choices?: readonly string[];
}
