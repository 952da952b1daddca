// What a test and the stand-in's process say to each other.
import type {
  PublicApiPackLog,
  PublicApiPackOauthConfigMetadata,
  PublicApiPackVersion,
  PublicApiValidationError,
} from "@codahq/packs-sdk/dist/helpers/external-api/v1";

/** A declared type as it is on the wire: the SDK's enums are their texts. */
export type Wire<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;

export interface ApiFaults {
  /** The upload host answers 500, closes the connection, answers 200 and loses the file, or never answers. */
  readonly lostPut?: "500" | "cut" | "silently" | "never";
  /** Answers 400 with these to uploadComplete. */
  readonly validationErrors?: readonly PublicApiValidationError[];
  /** Answers 403 to everything. */
  readonly forbidden?: boolean;
  /** Answers 429 with this Retry-After to everything; an empty one is left out. */
  readonly limited?: string;
  /** Answers 404 to everything, as for a pack or doc of another workspace. */
  readonly otherTenant?: boolean;
  /** Adds entries of undeclared types, and entries of a wrong shape. */
  readonly unknownLogTypes?: boolean;
  /** The number of log entries; 20 by default. */
  readonly entries?: number;
  /** Each page of a list names the same next page. */
  readonly repeatingPageToken?: boolean;
  /** Answers with a redirect to this address. */
  readonly redirecting?: string;
  readonly notJson?: boolean;
  /** Answers with more bytes than any client should read. */
  readonly hugeBody?: boolean;
  /** Sends headers, and never the body; with a number, after so many whole answers. */
  readonly slow?: boolean | number;
  /** Answers 503 to everything. */
  readonly unavailable?: boolean;
  /** Answers 500 whose body quotes the Authorization header. */
  readonly echoesToken?: boolean;
  /** Completes an upload, but does not list its version. */
  readonly lostVersion?: boolean;
  /** Closes the connection of every request. */
  readonly closed?: boolean;
}

export interface StartOrder {
  readonly token: string;
  readonly packId: number;
  readonly docId: string;
  readonly uploadHost: string;
  readonly hosts: readonly string[];
  readonly faults: ApiFaults;
  /** The versions of the pack, the newest first. */
  readonly versions: readonly Partial<Wire<PublicApiPackVersion>>[];
  /** The OAuth configuration. The client ID and secret are given in clear, and masked in answers. */
  readonly oauthConfig: Partial<Omit<PublicApiPackOauthConfigMetadata, "maskedClientId" | "maskedClientSecret">> & {
    readonly clientId?: string;
    readonly clientSecret?: string;
  };
  /** The log entries, the newest first, in place of generated ones. */
  readonly logs: readonly Wire<PublicApiPackLog>[];
  /** Findings between any two versions. */
  readonly findings?: readonly { readonly finding: string; readonly path: string }[];
}

export type ToChild = { readonly start: StartOrder } | { readonly change: Change } | "state" | "stop";

/** What a test may change while the stand-in runs. The client ID and secret of `oauthConfig` are those of the start. */
export type Change = Partial<Pick<StartOrder, "faults" | "oauthConfig">>;

export interface RecordedRequest {
  readonly host: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface ApiState {
  readonly requests: readonly RecordedRequest[];
  readonly versions: readonly Wire<PublicApiPackVersion>[];
  /** In clear. */
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** The hash of each registered version, and the file that arrived for it. */
  readonly uploads: Readonly<Record<string, { readonly bundleHash: string; readonly file?: string; readonly isComplete: boolean }>>;
}

export type FromChild = { readonly port: number; readonly certificate: string } | ApiState;
