// The part of the platform's public API that Pack Auth uses, as the Packs SDK's own client declares it (sdk-facts-3). The client of it is
// client.ts. Pack code cannot reach it: no process of a pack knows the token, and the broker never sends it.

/** The API of one host, with the token that a person entered for this host. Every method throws PackAuthError with a next step. */
export interface PublicApi {
  /** Origin, such as `https://coda.io`. */
  readonly origin: string;
  oauthConfig(packId: number, signal?: AbortSignal): Promise<PublishedOauthConfig>;
  /** Sends the client's credentials to the platform. Only the hand-over calls it, after the person agreed. */
  setOauthConfig(
    packId: number,
    client: { readonly clientId: string; readonly clientSecret?: string },
    signal?: AbortSignal,
  ): Promise<PublishedOauthConfig>;
  /** The versions of the pack, the newest first. Ends if a page token repeats. */
  versions(packId: number, signal?: AbortSignal): AsyncIterable<PackVersion>;
  /** The next valid version, and what changed since the previous one. `metadata` is JSON. */
  nextVersion(packId: number, metadata: string, toolkitVersion: string, signal?: AbortSignal): Promise<NextVersion>;
  versionDiffs(packId: number, base: string, target: string, signal?: AbortSignal): Promise<readonly VersionFinding[]>;
  registerVersion(packId: number, version: string, bundleHash: string, signal?: AbortSignal): Promise<UploadTarget>;
  /** Throws upload-rejected with the validation errors of a 400. */
  completeUpload(packId: number, version: string, options: CompleteOptions, signal?: AbortSignal): Promise<readonly ApiValidationError[]>;
  logs(source: LogSource, query: LogQuery, signal?: AbortSignal): Promise<LogPage>;
}

/** The OAuth configuration of the published pack. The platform masks the client's credentials. */
export interface PublishedOauthConfig {
  /** Empty if none was entered. */
  readonly maskedClientId: string;
  readonly maskedClientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly tokenPrefix?: string;
  readonly scopes?: string;
  readonly redirectUri: string;
  readonly useDynamicClientRegistration?: boolean;
}

export interface PackVersion {
  readonly packVersion: string;
  readonly sdkVersion?: string;
}

export interface NextVersion {
  readonly nextVersion: string;
  readonly findings: readonly VersionFinding[];
}

/** A difference between two versions, in the platform's words. */
export interface VersionFinding {
  readonly finding: string;
  readonly path: string;
}

/** Where the file of a version goes. The token does not go there. */
export interface UploadTarget {
  readonly uploadUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface CompleteOptions {
  readonly notes: string;
  readonly allowOlderSdkVersion: boolean;
}

export interface ApiValidationError {
  readonly path?: string;
  readonly message: string;
}

/** Logs are read of a doc, or of an agent. */
export type LogSource =
  | { readonly kind: "doc"; readonly packId: number; readonly docId: string }
  | { readonly kind: "agent"; readonly tenantId: string; readonly agentInstanceId: string };

export interface LogQuery {
  /** Types as the API spells them; absent for all. */
  readonly types?: readonly string[];
  /** A text that the API searches for. */
  readonly text?: string;
  /** ISO 8601. */
  readonly before?: string;
  readonly after?: string;
  readonly limit?: number;
  readonly pageToken?: string;
}

export interface LogPage {
  /** In the order of the API, which is not declared. */
  readonly entries: readonly LogEntry[];
  readonly nextPageToken?: string;
}

/** An entry, checked to be of its declared shape; an entry of another type or shape is `unknown`, with its JSON. */
export type LogEntry = LogContext &
  (
    | { readonly type: "auth"; readonly path: string; readonly errorMessage?: string; readonly errorStack?: string }
    | {
        readonly type: "fetcher";
        readonly method?: string;
        readonly baseUrl?: string;
        readonly responseCode?: number;
        /** Milliseconds. */
        readonly duration?: number;
        readonly cacheHit?: boolean;
        readonly requestSizeBytes?: number;
        readonly responseSizeBytes?: number;
      }
    | { readonly type: "invocation"; readonly error?: LoggedError; readonly duration?: number; readonly cacheHit?: boolean }
    | { readonly type: "mcp"; readonly message?: string; readonly error?: LoggedError }
    | { readonly type: "custom"; readonly message: string; readonly level: string }
    | { readonly type: "unknown"; readonly typeName: string; readonly raw: string }
  );

export interface LoggedError {
  readonly message: string;
  readonly stack?: string;
}

/** What every entry says of its origin. A field that the platform left out is empty. */
export interface LogContext {
  readonly logId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly packVersion: string;
  readonly formulaName: string;
  readonly connectionId: string;
  readonly connectionName?: string;
  readonly requestId: string;
  readonly requestType: string;
  readonly docId: string;
  readonly isSyncTable?: boolean;
  readonly invocationSource?: string;
}
