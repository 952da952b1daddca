// What the set-up of an authentication proposes for a pack, worked out from evidence such as a cURL command or an API description. It has no
// secret: a pasted one stays with the host. The analysis writes a proposal into a pack's source.
import type { AuthTypeName } from "../spec/auth-type-name.ts";

/**
 * Where a part of a proposal comes from, in words that are shown to the author: `the header X-Api-Key of the cURL command`. It never
 * contains a secret.
 */
export type Origin = string;

/** A value as JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** A text of a request. Its slots are the places at which the pack's code puts something in. */
export type TextWithSlots = readonly (string | Slot)[];

export type Slot =
  /** A value of a Custom authentication, which the platform puts in: `{{name-<invocationToken>}}`. */
  | { readonly credential: string }
  /** The account's endpoint URL, without a slash at its end. Only at the beginning of a URL. */
  | { readonly endpoint: true }
  /** A parameter of the formula. */
  | { readonly parameter: string };

/** A field of the configuration other than `type`, `getConnectionName` and `networkDomain`. */
export interface ProposedField {
  /** The name in spec/configuration-fields.ts. */
  readonly name: string;
  /** The value; the member's name for an enum, such as `Header` for credentialsLocation. */
  readonly value: JsonValue;
  readonly origin: Origin;
}

/** A request that the pack sends. It has no credential but the slots of a Custom authentication. */
export interface ProposedRequest {
  readonly method: string;
  /** An absolute URL, or one that begins with the account's endpoint. */
  readonly url: TextWithSlots;
  readonly headers: readonly { readonly name: string; readonly value: TextWithSlots }[];
  readonly body?: TextWithSlots;
  readonly origin: Origin;
}

export interface ProposedFormula {
  /** A name in PascalCase, such as `GetIssues`. The analysis appends a number if the pack has it already. */
  readonly name: string;
  readonly description: string;
  readonly request: ProposedRequest;
  readonly parameters: readonly { readonly name: string; readonly description: string; readonly suggestedValue?: string }[];
}

/** How a pack authenticates. */
export interface Proposal {
  /** The setter. */
  readonly scope: "user" | "system";
  readonly type: AuthTypeName;
  readonly typeOrigin: Origin;
  /** In the order in which they are written. */
  readonly fields: readonly ProposedField[];
  /** The network domains of the requests. */
  readonly domains: readonly { readonly domain: string; readonly origin: Origin }[];
  /** The request that names the user, and the path of the name in its response (`["data", "name"]`), for getConnectionName. */
  readonly userRequest?: ProposedRequest & { readonly namePath: readonly string[] };
  readonly formula?: ProposedFormula;
  /** The MCP server that the pack declares with `addMCPServer`. */
  readonly mcpServer?: { readonly name: string; readonly endpointUrl: string; readonly origin: Origin };
  /** The ID of the provider's page, if the evidence identifies the provider. */
  readonly provider?: string;
  /** What the author should know: what could not be carried over, or must be checked. Full sentences. */
  readonly remarks: readonly string[];
}
