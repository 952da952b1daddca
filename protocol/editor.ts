// The messages between the VS Code client and the language server beyond LSP. They locate the parts of a pack in its sources: the client
// shows lenses there, and links an error of the platform to its line. Names are LSP method names.
import type { Proposal } from "./setup.ts";

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Request `packAuth/outline`: params {@link OutlineParams}, result {@link PackOutline}, or null if the file is not part of a pack. */
export const OUTLINE_REQUEST = "packAuth/outline";
export interface OutlineParams {
  readonly uri: string;
}

export interface PackOutline {
  /** The file that builds the pack; it may differ from the requested file. */
  readonly entry: string;
  readonly toolkit: ToolkitSummary;
  readonly authentications: readonly {
    readonly scope: "user" | "system";
    /** The name of the type, if the source determines it. */
    readonly type?: string;
    /** The token URL as the source has it, if the source determines it. */
    readonly tokenUrl?: string;
    readonly uri: string;
    readonly range: Range;
  }[];
  readonly runnables: readonly {
    readonly kind: "formula" | "syncTable";
    readonly name: string;
    readonly uri: string;
    readonly range: Range;
  }[];
  readonly mcpServers: readonly {
    readonly name: string;
    readonly uri: string;
    readonly range: Range;
  }[];
  /** The calls of newPack. */
  readonly packCalls: readonly { readonly uri: string; readonly range: Range }[];
  /** Whether the pack is known to have no authentication. */
  readonly hasNoAuthentication: boolean;
}

/** The Packs SDK that decides which types and fields are legal in a pack. */
export interface ToolkitSummary {
  /**
   * The version of the installed Packs SDK. Undefined if none is installed or its declarations cannot be read: the built-in model then
   * decides.
   */
  readonly version?: string;
  /** The shell command that installs the Packs SDK; absent unless the SDK is known to be missing. */
  readonly install?: string;
}

/** Request `packAuth/packs`: no params, result `readonly PackSummary[]`, the packs that the server found in the workspace. */
export const PACKS_REQUEST = "packAuth/packs";
export interface PackSummary {
  readonly entry: string;
  /** Whether the Packs SDK is missing for this pack. */
  readonly lacksToolkit: boolean;
}

/** Request `packAuth/locate`: params {@link LocateParams}, result `{ uri, range }` or null. */
export const LOCATE_REQUEST = "packAuth/locate";
export interface LocateParams {
  readonly entry: string;
  /** A path such as `userAuthentication.tokenUrl` (see ErrorReport.configPath). */
  readonly configPath: string;
}

/**
 * The client's command that installs the Packs SDK for a file's pack in a terminal: argument {@link InstallToolkitParams}. The server uses
 * it only if the client declares it in {@link ExperimentalCapabilities}.
 */
export const INSTALL_TOOLKIT_COMMAND = "packAuth.installToolkit";
export interface InstallToolkitParams {
  readonly uri: string;
}

/**
 * The client's command that lets the author choose another type for a configuration: argument {@link ChangeTypeParams}. The server uses it
 * only if the client declares it in {@link ExperimentalCapabilities}.
 */
export const CHANGE_TYPE_COMMAND = "packAuth.changeType";
export interface ChangeTypeParams {
  /** The types to choose from, each with the LSP CodeAction whose edit `codeAction/resolve` computes. */
  readonly choices: readonly { readonly name: string; readonly action: unknown }[];
}

/**
 * Request `packAuth/declareDomain`: params {@link DeclareDomainParams}, result an LSP WorkspaceEdit, or null if no place for the
 * declaration was found.
 */
export const DECLARE_DOMAIN_REQUEST = "packAuth/declareDomain";
export interface DeclareDomainParams {
  readonly entry: string;
  /** The host of a request. The edit declares the domain that the platform requires for this host. */
  readonly host: string;
}

/**
 * Request `packAuth/schemaDifferences`: params {@link SchemaDifferencesParams}, result a list of {@link EditableDifference} with an LSP
 * WorkspaceEdit each. The result is null if the source does not determine the schema.
 */
export const SCHEMA_DIFFERENCES_REQUEST = "packAuth/schemaDifferences";
export interface SchemaDifferencesParams {
  readonly entry: string;
  /** The name of the formula or table. */
  readonly name: string;
  /** Names and types only: the values stay with the host. */
  readonly fields: readonly SchemaField[];
}
export interface SchemaField {
  /** The key as the API spells it. */
  readonly key: string;
  /** The name of a property for the key. */
  readonly property: string;
  /** The name of a ValueType; absent if the values have several types, or if there are none. */
  readonly type?: string;
  /** The property with its schema, as source text. */
  readonly source: string;
}
/** The schema lacks the property, spells it differently, gives it another type, or has a property that no response contained. */
export type SchemaDifferenceKind = "missing" | "spelling" | "type" | "never";
export interface EditableDifference<Edit> {
  readonly kind: SchemaDifferenceKind;
  readonly property: string;
  readonly key?: string;
  readonly types?: readonly [is: string, comes: string];
  readonly edit: Edit;
}

/**
 * Request `packAuth/fixAll`: params {@link FixAllParams}, result {@link FixedAll} with an LSP WorkspaceEdit, or null if the file is not
 * part of a pack.
 */
export const FIX_ALL_REQUEST = "packAuth/fixAll";
export interface FixAllParams {
  readonly uri: string;
}
export interface FixedAll<Edit> {
  /** Null if no problem can be fixed without the author's decision. */
  readonly edit: Edit | null;
  /** The counts for people to read, such as `2 fixed, 4 need you`. */
  readonly summary: string;
}

/**
 * Request `packAuth/answerReads`: params {@link ResponseReadsParams}, result ResponseReads of protocol/run.ts, or null if the source does
 * not determine it.
 */
export const RESPONSE_READS_REQUEST = "packAuth/answerReads";
export interface ResponseReadsParams {
  /** The place of the request, followed by its callers (see EchoedRequest.calls). */
  readonly calls: readonly { readonly uri: string; readonly position: Position }[];
}

/**
 * Request `packAuth/checkSources`: params {@link CheckSourcesParams}, result SourceAnswer of CheckedSources in protocol/agents.ts. Open files
 * count as the editor shows them, others as they are on disk.
 */
export const CHECK_SOURCES_REQUEST = "packAuth/checkSources";
export interface CheckSourcesParams {
  /** The agent's folder, as the editor opened it. */
  readonly folder: string;
  /** Files and folders in the agent's folder. */
  readonly uris: readonly string[];
}

/**
 * Request `packAuth/outlineSources`: params {@link OutlineSourcesParams}, result SourceAnswer of OutlinedPack in protocol/agents.ts, or of
 * null if the file builds no pack.
 */
export const OUTLINE_SOURCES_REQUEST = "packAuth/outlineSources";
export interface OutlineSourcesParams {
  /** As with {@link CheckSourcesParams}. */
  readonly folder: string;
  /** The file that builds the pack. */
  readonly entry: string;
}

/**
 * Request `packAuth/writeSetup`: params {@link WriteSetupParams}, result SetupAnswer of protocol/written-setup.ts. Open files count as the editor
 * shows them. Nothing is changed: the client shows and applies the edits.
 */
export const WRITE_SETUP_REQUEST = "packAuth/writeSetup";
export interface WriteSetupParams {
  /** The file that builds the pack. */
  readonly uri: string;
  readonly proposal: Proposal;
  /** The text of the file, in place of its own: for a new pack that is not on disk. */
  readonly text?: string;
}

/** Request `packAuth/rulePages`: no params, result `readonly RulePage[]` of protocol/agents.ts. */
export const RULE_PAGES_REQUEST = "packAuth/rulePages";

/**
 * Notification `packAuth/outlineChanged`, server → client, without params: the client should request its lenses again. The server sends it
 * only if the client declares it in {@link ExperimentalCapabilities}.
 */
export const OUTLINE_CHANGED = "packAuth/outlineChanged";

/**
 * The client's `experimental` capabilities (LSP 3.17, ClientCapabilities). The server uses an extension of LSP only if it is declared here.
 */
export interface ExperimentalCapabilities {
  readonly packAuth?: {
    /** The client handles {@link OUTLINE_CHANGED}. */
    readonly outlineChanged?: boolean;
    /** The client has {@link INSTALL_TOOLKIT_COMMAND}. */
    readonly installToolkit?: boolean;
    /** The client has {@link CHANGE_TYPE_COMMAND}. */
    readonly changeType?: boolean;
    /** The prefix for addresses of rule pages that the client displays itself: `<prefix><rule>.md`. */
    readonly rulePages?: string;
  };
}

/** The settings that the server reads, section `packAuth`. */
export interface ServerSettings {
  readonly toolkitModules: readonly string[];
  /** Severity by rule ID; a rule without an entry keeps its own severity. */
  readonly rules: Readonly<Record<string, "off" | "information" | "warning" | "error">>;
  readonly inlayHints: { readonly enabled: boolean };
}
