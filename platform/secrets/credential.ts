// The content of an account's secret record, by kind of authentication. Invariant: values of these types live in the secret store and in
// the host's memory. They never go to the pack process, a webview, a log or a file.

import type { AuthenticationDefinition } from "../../protocol/definition.ts";

export type Credential =
  /** HeaderBearerToken, CodaApiHeaderBearerToken, CustomHeaderToken, QueryParamToken. */
  | { readonly kind: "token"; readonly token: string }
  /** MultiHeaderToken, MultiQueryParamToken, Custom: name → value. */
  | { readonly kind: "values"; readonly values: Readonly<Record<string, string>> }
  /** WebBasic; the password is empty with usernameOnly. */
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | OAuth2Credential
  | {
      readonly kind: "aws";
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly sessionToken?: string;
      readonly region?: string;
      readonly roleArn?: string;
      readonly externalId?: string;
    };

/** OAuth2 and OAuth2ClientCredentials (RFC 6749, section 5.1). */
export interface OAuth2Credential {
  readonly kind: "oauth2";
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch; absent if the provider did not say. */
  readonly expiresAt?: number;
  /** Milliseconds since the epoch; absent if the token was not issued to Pack Auth. */
  readonly issuedAt?: number;
  /** The token_type of the token response, if it is not Bearer. */
  readonly tokenType?: string;
}

/** What the configuration of a sign-in said, as in the source. `tokenUrl` is absent if it was discovered. */
export type AcceptedWith = Pick<AuthenticationDefinition, "type" | "tokenUrl">;

/** The application's own credentials at the provider, once per pack and setter (auth-spec 5.5.4). */
export interface ClientCredentials {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** The token endpoints that the client may be sent to (client-binding.ts). If absent, the next one that accepts it. */
  readonly tokenEndpoints?: readonly string[];
  /** The configurations whose token endpoint accepted exactly this client ID and secret. Absent if they were only entered. */
  readonly acceptedWith?: readonly AcceptedWith[];
  /** For a dynamically registered client (RFC 7591): its provider, redirect address, authentication method and expiry. */
  readonly registration?: {
    readonly issuer: string;
    readonly redirectUri: string;
    /** The client's token_endpoint_auth_method, if it sends the secret. */
    readonly authMethod?: SecretAuthMethod;
    readonly expiresAt?: number;
  };
}

/** The values of token_endpoint_auth_method that send the secret itself (RFC 7591, section 2). */
export type SecretAuthMethod = "client_secret_basic" | "client_secret_post";

/**
 * The ways to send client ID and secret, in the order in which they are tried: form body, HTTP Basic (unencoded or form-encoded), JSON body,
 * HTTP Basic beside a JSON body, or no secret.
 */
export const CLIENT_METHODS = ["form", "basic", "basic-encoded", "json", "basic-json", "none"] as const;
export type ClientMethod = (typeof CLIENT_METHODS)[number];

/** A client that has a secret. */
export type ConfidentialClient = Required<Pick<ClientCredentials, "clientId" | "clientSecret">>;
