// Where each authentication type puts its credential in a request (auth-spec 2.2, 5.4; sdk-facts 1). Sending, checking, describing and
// refusing requests all use this table.
import { type AuthTypeName, isAuthTypeName } from "./auth-types.ts";

/** The fields of a configuration that determine the place of its credential. */
export interface PlacementFields {
  readonly headerName?: string | undefined;
  readonly tokenPrefix?: string | undefined;
  readonly tokenQueryParam?: string | undefined;
  readonly paramName?: string | undefined;
  readonly headers?: readonly { readonly name: string; readonly tokenPrefix?: string | undefined }[];
  readonly params?: readonly { readonly name: string }[];
}

/** The names of these fields; `satisfies` makes the compiler require each. */
export const PLACEMENT_NAMES = Object.keys({
  headerName: true,
  tokenPrefix: true,
  tokenQueryParam: true,
  paramName: true,
  headers: true,
  params: true,
} satisfies Readonly<Record<keyof PlacementFields, true>>);

/** The placement fields and `service`, the AWS service that a signature is for. */
export const PLACEMENT_FIELDS: ReadonlySet<string> = new Set([...PLACEMENT_NAMES, "service"]);

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
