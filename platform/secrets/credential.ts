// What an account's secret record holds, by kind of authentication. Invariant: values of these types live in the secret store
// and in the host's memory; they never go to the pack process, a webview, a log or a file.

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
  /** Milliseconds since the epoch, where the provider said when. */
  readonly expiresAt?: number;
  /** Milliseconds that it was given for. */
  readonly lifetime?: number;
}

/** The application's own credentials at the provider: once per pack and setter (auth-spec 5.5.4). */
export interface ClientCredentials {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** The token endpoints that they may go to (client-binding.ts). Absent: the next one that takes them. */
  readonly tokenEndpoints?: readonly string[];
  /** Where it was registered dynamically (RFC 7591): for which provider and redirect address, how it authenticates, and until when. */
  readonly registration?: {
    readonly issuer: string;
    readonly redirectUri: string;
    /** Its token_endpoint_auth_method, where it sends the secret. */
    readonly authMethod?: SecretAuthMethod;
    readonly expiresAt?: number;
  };
}

/** The values of token_endpoint_auth_method that send the secret itself (RFC 7591, section 2). */
export type SecretAuthMethod = "client_secret_basic" | "client_secret_post";

/** How client ID and secret travel: a form body, HTTP Basic (as they are, or form-encoded), a JSON body, or no secret at all. */
export const CLIENT_METHODS = ["form", "basic", "basic-encoded", "json", "none"] as const;
export type ClientMethod = (typeof CLIENT_METHODS)[number];

/** A client that has a secret. */
export type ConfidentialClient = Required<Pick<ClientCredentials, "clientId" | "clientSecret">>;
