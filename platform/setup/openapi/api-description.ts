// What a set-up uses of an OpenAPI or Swagger description, the same for all their versions. Names and texts are the description's own.
import type { Origin } from "../../../protocol/setup.ts";

export interface ApiDescription {
  /** The security scheme's name → the scheme. */
  readonly schemes: ReadonlyMap<string, Scheme>;
  /** The alternatives for operations that name none of their own. */
  readonly security: readonly Requirement[];
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
}

export type Scheme = { readonly origin: Origin; readonly description: string } & (
  | { readonly kind: "key"; readonly place: string; readonly name: string }
  | { readonly kind: "http"; readonly scheme: string }
  | { readonly kind: "oauth2"; readonly flows: readonly Flow[] }
  | { readonly kind: "openIdConnect"; readonly url: string }
  | { readonly kind: "mutualTLS" }
  /** Signature Version 4 of AWS, for the service if the description shows it. */
  | { readonly kind: "aws"; readonly service?: string }
  /** A scheme of another type, one in another file, or one that lacks a member. */
  | { readonly kind: "unknown"; readonly problem?: string }
);

/** A flow of OAuth 2.0, with the name that OpenAPI 3 uses for it. */
export interface Flow {
  readonly grant: string;
  /** Whether the description names the implicit grant, although the flow has a token URL, which only the code grant uses. */
  readonly isNamedImplicit?: boolean;
  readonly origin: Origin;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  /** The scope → its description. */
  readonly scopes: ReadonlyMap<string, string>;
  /** The property of the token response that contains the token, as the extension `x-tokenName` has it. */
  readonly tokenName?: string;
}

/** Schemes that a request must satisfy together: the scheme's name → the scopes. Without a scheme, no authentication is needed. */
export type Requirement = ReadonlyMap<string, readonly string[]>;

export interface Server {
  /** May be relative, and may contain variables in braces. */
  readonly url: string;
  readonly origin: Origin;
  readonly description: string;
  readonly variables: ReadonlyMap<string, { readonly value: string; readonly allowed: readonly string[]; readonly description: string }>;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly origin: Origin;
  readonly id: string;
  readonly summary: string;
  /** The alternatives; those of the whole description if the operation names none of its own. */
  readonly security: readonly Requirement[];
  /** Present for an operation that a formula may call. */
  readonly request?: SimpleRequest;
  /** The path of the user's name in the response. */
  readonly namePath?: readonly string[];
}

/** A GET request without a body, at the servers of the whole description. */
export interface SimpleRequest {
  /** What the path and the query demand. */
  readonly parameters: readonly RequestParameter[];
  /** The headers that it demands, which have only one value or a default. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

export interface RequestParameter {
  readonly name: string;
  readonly place: "path" | "query";
  readonly description: string;
  readonly example?: string;
}

/** What the thread returns for a text. */
export type Reading =
  | { readonly description: ApiDescription }
  /** Why the text cannot be read, and what to do. */
  | { readonly problem: string; readonly hint: string };
