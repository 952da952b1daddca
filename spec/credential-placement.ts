// Where each authentication type puts its credential in a request (auth-spec 2.2, 5.4; sdk-facts 1). Sending, checking, describing and
// refusing requests all use this table.
import { type AuthTypeName, isAuthTypeName } from "./auth-types.ts";
import type { CONFIGURATION_FIELDS, FieldWith } from "./configuration-fields.ts";
import type { NamedCredential } from "./fields.ts";

/** The fields of a configuration that determine the place of its credential. */
export type PlacementFields = {
  readonly [Name in FieldWith<"placement">]?:
    | ((typeof CONFIGURATION_FIELDS)[Name]["kind"] extends "objectArray" ? readonly NamedPlace[] : string)
    | undefined;
};

type NamedPlace = Pick<NamedCredential, "name"> & { readonly tokenPrefix?: string | undefined };

/** A header or a query parameter that contains the credential, or one of its values. */
export interface CredentialPlace {
  readonly in: "header" | "query";
  /** Undefined if the configuration omits the name. */
  readonly name: string | undefined;
  /** The text before the value, separated by a space; no prefix if empty. */
  readonly prefix?: string | undefined;
  /** The field that names the place; undefined for the Authorization header. */
  readonly field?: keyof PlacementFields;
}

type Places = (fields: PlacementFields) => readonly CredentialPlace[];

/** The Authorization header (RFC 9110, section 11.6.2). */
const authorization =
  (scheme: string): Places =>
  () => [{ in: "header", name: "Authorization", prefix: scheme }];

const bearer = authorization("Bearer");
const signature = authorization("AWS4-HMAC-SHA256");

const accessToken: Places = ({ tokenQueryParam, tokenPrefix = "Bearer" }) =>
  tokenQueryParam
    ? [{ in: "query", name: tokenQueryParam, field: "tokenQueryParam" }]
    : [{ in: "header", name: "Authorization", prefix: tokenPrefix }];

const nowhere: Places = () => [];

const PLACES = {
  None: nowhere,
  Various: nowhere,
  HeaderBearerToken: bearer,
  CodaApiHeaderBearerToken: bearer,
  CustomHeaderToken: ({ headerName, tokenPrefix }) => [{ in: "header", name: headerName, prefix: tokenPrefix, field: "headerName" }],
  MultiHeaderToken: ({ headers = [] }) =>
    headers.map(({ name, tokenPrefix }) => ({ in: "header", name, prefix: tokenPrefix, field: "headers" })),
  QueryParamToken: ({ paramName }) => [{ in: "query", name: paramName, field: "paramName" }],
  MultiQueryParamToken: ({ params = [] }) => params.map(({ name }) => ({ in: "query", name, field: "params" })),
  // The pack places these values itself, with placeholders.
  Custom: nowhere,
  WebBasic: authorization("Basic"),
  AWSAccessKey: signature,
  AWSAssumeRole: signature,
  GoogleServiceAccount: bearer,
  GoogleDomainWideDelegation: bearer,
  OAuth2ClientCredentials: accessToken,
  OAuth2: accessToken,
} as const satisfies Readonly<Record<AuthTypeName, Places>>;

/** Returns the places in the order of the configuration. An unknown type uses the Authorization header. */
export const credentialPlaces = (type: string, fields: PlacementFields): readonly CredentialPlace[] =>
  (isAuthTypeName(type) ? PLACES[type] : bearer)(fields);
