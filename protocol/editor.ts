// VS Code client ↔ language server, beyond LSP: what stands where in a pack's sources, so that the client can put lenses over
// it and link an error of the platform to the line that it comes from. Names are LSP method names.

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Request `packAuth/outline`: params {@link OutlineParams}, result {@link PackOutline} or null for a file that is no pack. */
export const OUTLINE_REQUEST = "packAuth/outline";
export interface OutlineParams {
  readonly uri: string;
}

export interface PackOutline {
  /** The file that builds the pack; it may be another than the one asked about. */
  readonly entry: string;
  readonly toolkit: ToolkitSummary;
  readonly authentications: readonly {
    readonly scope: "user" | "system";
    /** The type's name, where the source tells it. */
    readonly type?: string;
    /** As it is written, where the source tells it. */
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
}

/** What decides which types and fields are legal in a pack. */
export interface ToolkitSummary {
  /** Of the installed toolkit; undefined where none is installed or its declarations cannot be read: the built-in model decides. */
  readonly version?: string;
  /** The shell command that installs it; absent where it is not known to be missing. */
  readonly install?: string;
}

/** Request `packAuth/packs`: no params, result `readonly PackSummary[]`: the packs that the server knows in the workspace. */
export const PACKS_REQUEST = "packAuth/packs";
export interface PackSummary {
  readonly entry: string;
  /** No toolkit is installed for it. */
  readonly lacksToolkit: boolean;
}

/** Request `packAuth/locate`: params {@link LocateParams}, result `{ uri, range }` or null. */
export const LOCATE_REQUEST = "packAuth/locate";
export interface LocateParams {
  readonly entry: string;
  /** Such as `userAuthentication.tokenUrl` (see ErrorReport.configPath). */
  readonly configPath: string;
}

/** The client's command that installs the toolkit for a file's pack, in a terminal: argument {@link InstallToolkitParams}. Only for clients that say {@link ExperimentalCapabilities}. */
export const INSTALL_TOOLKIT_COMMAND = "packAuth.installToolkit";
export interface InstallToolkitParams {
  readonly uri: string;
}

/** The client's command that asks for another type of a configuration: argument {@link ChangeTypeParams}. Only for clients that say {@link ExperimentalCapabilities}. */
export const CHANGE_TYPE_COMMAND = "packAuth.changeType";
export interface ChangeTypeParams {
  /** Each with the LSP CodeAction whose edit `codeAction/resolve` makes. */
  readonly choices: readonly { readonly name: string; readonly action: unknown }[];
}

/** Request `packAuth/declareDomain`: params {@link DeclareDomainParams}, result an LSP WorkspaceEdit, or null where it cannot be told where it belongs. */
export const DECLARE_DOMAIN_REQUEST = "packAuth/declareDomain";
export interface DeclareDomainParams {
  readonly entry: string;
  /** What a request went to: the domain is what the platform wants of it. */
  readonly host: string;
}

/**
 * Request `packAuth/schemaDifferences`: params {@link SchemaDifferencesParams}, result a list of {@link EditableDifference} with an LSP
 * WorkspaceEdit each, or null where the source does not tell the schema.
 */
export const SCHEMA_DIFFERENCES_REQUEST = "packAuth/schemaDifferences";
export interface SchemaDifferencesParams {
  readonly entry: string;
  /** The name of the formula or table. */
  readonly name: string;
  /** Names and types alone: the values stay with the host. */
  readonly fields: readonly SchemaField[];
}
export interface SchemaField {
  /** As the API spells it. */
  readonly key: string;
  /** What a property for it is called. */
  readonly property: string;
  /** The name of a ValueType; absent where the values have several types, or none. */
  readonly type?: string;
  /** The property with its schema, as source. */
  readonly source: string;
}
/** The schema lacks it, has it under another spelling, has another type, or has what never came. */
export type SchemaDifferenceKind = "missing" | "spelling" | "type" | "never";
export interface EditableDifference<Edit> {
  readonly kind: SchemaDifferenceKind;
  readonly property: string;
  readonly key?: string;
  readonly types?: readonly [is: string, comes: string];
  readonly edit: Edit;
}

/** Request `packAuth/fixAll`: params {@link FixAllParams}, result {@link FixedAll} with an LSP WorkspaceEdit, or null for a file that is no pack. */
export const FIX_ALL_REQUEST = "packAuth/fixAll";
export interface FixAllParams {
  readonly uri: string;
}
export interface FixedAll<Edit> {
  /** Null where nothing can be fixed unasked. */
  readonly edit: Edit | null;
  /** What it comes to, as people read it: `2 fixed, 4 need you`. */
  readonly summary: string;
}

/** Request `packAuth/answerReads`: params {@link ResponseReadsParams}, result AnswerReads of protocol/run.ts, or null where the source does not tell. */
export const RESPONSE_READS_REQUEST = "packAuth/answerReads";
export interface ResponseReadsParams {
  /** Where the request was made, then who called that (see EchoedRequest.calls). */
  readonly calls: readonly { readonly uri: string; readonly position: Position }[];
}

/** Notification `packAuth/outlineChanged`, server → client: lenses should be asked for again. No params. Only for clients that say {@link ExperimentalCapabilities}. */
export const OUTLINE_CHANGED = "packAuth/outlineChanged";

/** What a client takes beyond LSP: `experimental` of its capabilities (LSP 3.17, ClientCapabilities). What it does not name it is not sent. */
export interface ExperimentalCapabilities {
  readonly packAuth?: {
    /** It takes {@link OUTLINE_CHANGED}. */
    readonly outlineChanged?: boolean;
    /** It has {@link INSTALL_TOOLKIT_COMMAND}. */
    readonly installToolkit?: boolean;
    /** It has {@link CHANGE_TYPE_COMMAND}. */
    readonly changeType?: boolean;
    /** What the addresses of rules' pages begin with, where it shows them itself: `<this><rule>.md`. */
    readonly rulePages?: string;
  };
}

/** The settings that the server reads, section `packAuth`. */
export interface ServerSettings {
  readonly toolkitModules: readonly string[];
  /** Rule id → severity; absent means the rule's own. */
  readonly rules: Readonly<Record<string, "off" | "information" | "warning" | "error">>;
  readonly inlayHints: { readonly enabled: boolean };
}
