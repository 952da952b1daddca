// The fields of the two OAuth types, which share most of them.
import type { FieldSpec } from "./fields.ts";

/** The fields of both OAuth types (auth-spec 2.3, sdk-facts 1). */
const COMMON_OAUTH: readonly FieldSpec[] = [
  { name: "scopes", kind: "stringArray", docs: "The scopes that the pack needs, as the API defines them.", source: "auth-spec 2.3" },
  {
    name: "scopeDelimiter",
    kind: "string",
    values: [" ", ",", ";"],
    default: '" "',
    docs: "What joins the scopes in the authorization URL: a space, a comma or a semicolon.",
    source: "auth-spec 2.3",
  },
  {
    name: "scopeParamName",
    kind: "string",
    default: '"scope"',
    docs: "The URL parameter that carries the scopes.",
    source: "sdk-facts 1",
  },
  {
    name: "tokenPrefix",
    kind: "string",
    default: '"Bearer"',
    docs: `Prefix in the Authorization header: \`Authorization: <tokenPrefix> <token>\`. An empty string means none.`,
    source: "auth-spec 2.3",
  },
  {
    name: "tokenQueryParam",
    kind: "string",
    docs: "A URL query parameter that carries the token instead of a header, for providers that require it.",
    source: "auth-spec 2.3",
  },
  {
    name: "nestedResponseKey",
    kind: "string",
    docs: "The object of the token response that contains the token.",
    source: "sdk-facts 1",
  },
  { name: "resource", kind: "url", docs: "The resource indicator (RFC 8707) sent with both requests.", source: "sdk-facts 1" },
  {
    name: "credentialsLocation",
    kind: "enum",
    enum: "TokenExchangeCredentialsLocation",
    default: "TokenExchangeCredentialsLocation.Automatic",
    docs: "Where the token exchange carries client ID and secret. Automatic tries the body, then the Authorization header.",
    source: "sdk-facts 1",
  },
];

/** The fields of OAuth2ClientCredentials (sdk-facts 1). */
export const CLIENT_CREDENTIALS_FIELDS: readonly FieldSpec[] = [
  { name: "tokenUrl", kind: "url", required: true, docs: "The token endpoint.", source: "sdk-facts 1" },
  ...COMMON_OAUTH,
];

/** The fields of OAuth2 (auth-spec 2.3, sdk-facts 1). */
export const AUTHORIZATION_CODE_FIELDS: readonly FieldSpec[] = [
  {
    name: "authorizationUrl",
    kind: "url",
    required: true,
    docs: "Where the user is sent to authorize. Typically without parameters: the platform appends its own.",
    source: "auth-spec 2.3",
  },
  {
    name: "tokenUrl",
    kind: "url",
    required: true,
    docs: "The token endpoint: exchanges the temporary code for an access token.",
    source: "auth-spec 2.3",
  },
  ...COMMON_OAUTH,
  {
    name: "additionalParams",
    kind: "record",
    docs: "Further URL parameters for the redirect to authorizationUrl.",
    source: "auth-spec 2.3",
  },
  {
    name: "endpointKey",
    kind: "string",
    docs: "The property of the token response with the account's endpoint URL.",
    source: "auth-spec 5.7",
  },
  {
    name: "useProofKeyForCodeExchange",
    kind: "boolean",
    default: "false",
    docs: "Use PKCE (RFC 7636).",
    source: "sdk-facts 1",
  },
  {
    name: "pkceChallengeMethod",
    kind: "string",
    values: ["plain", "S256"],
    default: '"S256"',
    docs: "How the PKCE challenge is made.",
    source: "sdk-facts 1",
  },
  {
    name: "useDynamicClientRegistration",
    kind: "boolean",
    default: "false",
    docs: "Register the client by itself (RFC 7591). Both URLs become optional: they are discovered.",
    source: "sdk-facts 1",
  },
];
