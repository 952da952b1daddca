// The authentication types: their fields, who may use them, and how they change a request.
import type { AuthTypeName } from "./auth-type-name.ts";
import { BASE_FIELDS, ownFields, TYPE_FIELDS, USER_ONLY_FIELDS } from "./configuration-fields.ts";
import type { FieldSpec } from "./fields.ts";

export type { AuthTypeName };

/** The kind of sign-in that a type needs. `platform/connect/flows` has one file for each kind that this product supports. */
export type FlowKind =
  | "none"
  | "token"
  | "multi-token"
  | "custom"
  | "web-basic"
  | "aws"
  | "aws-role"
  | "client-credentials"
  | "authorization-code"
  | "unavailable";

export interface AuthTypeSpec {
  readonly name: AuthTypeName;
  readonly docs: string;
  /** The type's own fields; base fields come from {@link fieldsOf}. */
  readonly fields: readonly FieldSpec[];
  /** False for None and Various, which take no field but `type`. */
  readonly hasBaseFields: boolean;
  /** Whether setSystemAuthentication takes the type (sdk-facts 1). */
  readonly system: boolean;
  /** Whether completion omits the type: it is internal or first-party. */
  readonly isHidden?: boolean;
  readonly flow: FlowKind;
  /** The credential that the type adds to a request, for hovers; `•` replaces a secret, `<field>` a field's value. */
  readonly sends: string;
  readonly source: string;
}

const token = (name: AuthTypeName, docs: string, sends: string, more: Partial<AuthTypeSpec> = {}): AuthTypeSpec => ({
  name,
  docs,
  fields: ownFields(name),
  sends,
  hasBaseFields: true,
  system: true,
  flow: "token",
  source: "auth-spec 2.2",
  ...more,
});

export const AUTH_TYPES: Readonly<Record<AuthTypeName, AuthTypeSpec>> = {
  None: token("None", "No authentication.", "nothing", { hasBaseFields: false, system: false, flow: "none", source: "sdk-facts 1" }),
  Various: token("Various", "Several types in one pack; internal to the platform.", "nothing", {
    hasBaseFields: false,
    system: false,
    isHidden: true,
    flow: "unavailable",
    source: "sdk-facts 1",
  }),
  HeaderBearerToken: token("HeaderBearerToken", "A token that goes into the Authorization header.", "Authorization: Bearer ••••", {
    source: "auth-spec 5.2",
  }),
  CodaApiHeaderBearerToken: token(
    "CodaApiHeaderBearerToken",
    "A token for the platform's own API, which the platform can set up by itself.",
    "Authorization: Bearer ••••",
    { system: false, source: "sdk-facts 1" },
  ),
  CustomHeaderToken: token(
    "CustomHeaderToken",
    "A token that goes into a header of the API's choice.",
    "<headerName>: <tokenPrefix> ••••",
    { source: "auth-spec 5.2" },
  ),
  MultiHeaderToken: token(
    "MultiHeaderToken",
    "Several tokens, each in a header of its own.",
    "<name>: <tokenPrefix> ••••, for each header",
    { flow: "multi-token", source: "sdk-facts 1" },
  ),
  QueryParamToken: token("QueryParamToken", "A token that goes into the URL's query.", "?<paramName>=••••", { source: "auth-spec 5.2" }),
  MultiQueryParamToken: token(
    "MultiQueryParamToken",
    "Several tokens, each in a query parameter of its own.",
    "?<name>=••••&…, for each parameter",
    { flow: "multi-token", source: "sdk-facts 1" },
  ),
  Custom: token(
    "Custom",
    `Named values that the pack places itself, by placeholders \`{{name-<invocationToken>}}\` in the URL, headers or body.`,
    "•••• wherever the code writes {{name-<invocationToken>}}",
    { flow: "custom", source: "auth-spec 5.4" },
  ),
  WebBasic: token("WebBasic", "User name and password.", "Authorization: Basic ••••", { flow: "web-basic", source: "auth-spec 5.3" }),
  AWSAccessKey: token(
    "AWSAccessKey",
    "An AWS access key; requests are signed with Signature Version 4.",
    "Authorization: AWS4-HMAC-SHA256 ••••",
    { flow: "aws", source: "sdk-facts 1" },
  ),
  AWSAssumeRole: token(
    "AWSAssumeRole",
    "A role that the platform assumes; requests are signed with Signature Version 4.",
    "Authorization: AWS4-HMAC-SHA256 ••••",
    { flow: "aws-role", source: "sdk-facts 1" },
  ),
  GoogleServiceAccount: token("GoogleServiceAccount", "A Google service account; first-party only.", "Authorization: Bearer ••••", {
    isHidden: true,
    flow: "unavailable",
    source: "sdk-facts 1",
  }),
  GoogleDomainWideDelegation: token(
    "GoogleDomainWideDelegation",
    "Google domain-wide delegation; first-party only.",
    "Authorization: Bearer ••••",
    { system: false, isHidden: true, flow: "unavailable", source: "sdk-facts 1" },
  ),
  OAuth2ClientCredentials: token(
    "OAuth2ClientCredentials",
    "OAuth 2.0 client credentials (RFC 6749, section 4.4): the client itself is the account.",
    "Authorization: <tokenPrefix> ••••",
    { flow: "client-credentials", source: "sdk-facts 1" },
  ),
  OAuth2: token(
    "OAuth2",
    "OAuth 2.0 authorization code (RFC 6749, section 4.1): the user signs in at the provider.",
    "Authorization: <tokenPrefix> ••••",
    { system: false, flow: "authorization-code", source: "auth-spec 2.3" },
  ),
};

/** The setter that receives a configuration. */
export type AuthScope = "user" | "system";

/** Returns all fields that a configuration of the type may have: `type`, the type's own, the base fields, and the setter's own. */
export const fieldsOf = (type: AuthTypeName, scope: AuthScope): readonly FieldSpec[] => FIELDS[scope][type];

const fieldsFor = (scope: AuthScope): Readonly<Record<AuthTypeName, readonly FieldSpec[]>> =>
  Object.fromEntries(
    Object.entries(AUTH_TYPES).map(([name, { fields, hasBaseFields }]) => [
      name,
      [...TYPE_FIELDS, ...fields, ...(hasBaseFields ? BASE_FIELDS : []), ...(scope === "user" ? USER_ONLY_FIELDS : [])],
    ]),
  ) as unknown as Record<AuthTypeName, readonly FieldSpec[]>;

const FIELDS = { user: fieldsFor("user"), system: fieldsFor("system") };

/** Returns the field with the name, or undefined if a configuration of the type may not have it. */
export function fieldOf(type: AuthTypeName, scope: AuthScope, name: string): FieldSpec | undefined {
  let byName = BY_NAME[scope].get(type);
  if (byName === undefined) {
    byName = new Map(fieldsOf(type, scope).map((field) => [field.name, field]));
    BY_NAME[scope].set(type, byName);
  }
  return byName.get(name);
}

/** Fields by name; a type's map is created on first use. */
const BY_NAME: Readonly<Record<AuthScope, Map<AuthTypeName, ReadonlyMap<string, FieldSpec>>>> = { user: new Map(), system: new Map() };

export function isAuthTypeName(name: string): name is AuthTypeName {
  return Object.hasOwn(AUTH_TYPES, name);
}

/** Returns the kind of sign-in that the type needs, or undefined if the type is unknown. */
export const flowKindOf = (type: string): FlowKind | undefined => (isAuthTypeName(type) ? AUTH_TYPES[type].flow : undefined);

/**
 * Returns the field that lists the values of a credential that users enter one by one: MultiHeaderToken, MultiQueryParamToken and Custom.
 */
export const valuesFieldOf = (type: string): "headers" | "params" =>
  isAuthTypeName(type) && AUTH_TYPES[type].fields.some(({ name }) => name === "headers") ? "headers" : "params";

/** Returns whether an account of the type has a credential: all types except None and Various. An unknown type may have one. */
export const hasCredential = (type: string | undefined): boolean =>
  type === undefined || !isAuthTypeName(type) || AUTH_TYPES[type].hasBaseFields;

/** Returns whether the type has a sign-in. An undefined `type` means no authentication. */
export const hasSignIn = (type: string | undefined): boolean => type !== undefined && flowKindOf(type) !== "none";

/** Returns whether users sign in at a provider, which grants them scopes (RFC 6749, section 4.1). */
export const asksProvider = (type: string | undefined): boolean => flowKindOf(type ?? "") === "authorization-code";

/** Returns whether the type uses a client ID and an access token (RFC 6749). */
export const isOAuthType = (type: string): boolean => asksProvider(type) || flowKindOf(type) === "client-credentials";

/** Returns whether requests are signed (AWS Signature Version 4) instead of carrying the credential. */
export const isSigned = (type: string): boolean => flowKindOf(type)?.startsWith("aws") === true;

/** Returns the types that have the field as their own; empty for base fields, which belong to all types. */
export const typesWithField = (field: string): readonly AuthTypeName[] => OWNERS.get(field) ?? [];

const OWNERS = ((): ReadonlyMap<string, readonly AuthTypeName[]> => {
  const owners = new Map<string, AuthTypeName[]>();
  for (const { name, fields } of Object.values(AUTH_TYPES))
    for (const field of new Set(fields.map((own) => own.name))) owners.set(field, [...(owners.get(field) ?? []), name]);
  return owners;
})();

/** Returns the path of the authentication in a pack's definition: the beginning of every path to a field of its configuration. */
export const configRoot = <Scope extends "user" | "system">(scope: Scope): `${Scope}Authentication` => `${scope}Authentication`;
