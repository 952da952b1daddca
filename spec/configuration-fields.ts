// The fields of authentication configurations. A field is listed here and nowhere else: its value, the types that have it, and its roles.
// The definition's type and shape, the account's snapshot and the fingerprints of facts follow. Where a role needs code, the compiler names
// a field without it.
import type { AuthTypeName } from "./auth-type-name.ts";
import { type CodeAbout, type ConfigurationCode, EVIDENCE } from "./evidence-codes.ts";
import { type ENUMS, type EnumName, type FieldSpec, SET_ENDPOINT_FIELDS, type ValueOfKind } from "./fields.ts";

/** The part that a field has in a sign-in or in a request. */
type Role =
  /** An account needs a new sign-in once the value has changed. */
  | "identity"
  /** It changes the parameters of the authorization request (RFC 6749, section 4.1.1). */
  | "authorization request"
  /** It changes the parameters of token requests (RFC 6749, sections 4.1.3, 4.4.2 and 6). */
  | "token request"
  /** It determines the place of the credential in a request. */
  | "placement"
  /** The signature of a request depends on it. */
  | "signature"
  /** It is a name that is used exactly as written, so that a space around it is a mistake. Other rules check the other names. */
  | "exact";

interface ConfigurationField extends Omit<FieldSpec, "name"> {
  /** The types that have the field. "most" are all but None and Various; "user" are all, on setUserAuthentication only. */
  readonly of: readonly AuthTypeName[] | "all" | "most" | "user";
  readonly roles: readonly Role[];
  /** The facts of sign-ins that are outdated once the field has changed. All are once the type has; others depend on the placement. */
  readonly facts: readonly CodeAbout<"sign-in">[];
  /** What is different for some of the types. */
  readonly varies?: Readonly<Partial<Record<AuthTypeName, Partial<FieldSpec>>>>;
}

/** The types that use an access token of the configuration's provider. */
const OAUTH = ["OAuth2", "OAuth2ClientCredentials"] as const;

const NAME_AND_DESCRIPTION: readonly FieldSpec[] = [
  { name: "name", kind: "string", required: true, docs: "The name under which the value is sent.", source: "auth-spec 2.2" },
  { name: "description", kind: "string", required: true, docs: "The prompt in the connect dialog.", source: "auth-spec 2.2" },
];

const TOKEN_PREFIX = { kind: "string", docs: "A string before the token, separated by a space.", source: "auth-spec 2.2" } as const;

/** By name, in the order of completions. */
export const CONFIGURATION_FIELDS = {
  type: {
    kind: "enum",
    enum: "AuthenticationType",
    required: true,
    docs: "Selects the authentication type.",
    source: "auth-spec 2.1",
    of: "all",
    roles: ["identity"],
    facts: [],
  },
  shouldAutoAuthSetup: {
    kind: "boolean",
    default: "false",
    docs: "Set the account up automatically when the pack is installed.",
    source: "sdk-facts 1",
    of: ["CodaApiHeaderBearerToken"],
    roles: [],
    facts: [],
  },
  deferConnectionSetup: {
    kind: "boolean",
    default: "false",
    docs: "Ask for the connection later.",
    deprecated: "Deprecated by the Packs SDK.",
    isHidden: true,
    source: "sdk-facts 1",
    of: ["CodaApiHeaderBearerToken"],
    roles: [],
    facts: [],
  },
  headerName: {
    kind: "string",
    required: true,
    docs: "The header that carries the token.",
    source: "auth-spec 2.2",
    of: ["CustomHeaderToken"],
    roles: ["placement"],
    facts: [],
  },
  headers: {
    kind: "objectArray",
    required: true,
    fields: [...NAME_AND_DESCRIPTION, { name: "tokenPrefix", ...TOKEN_PREFIX }],
    docs: "One entry for each header: its name, the prompt, an optional prefix.",
    source: "sdk-facts 1",
    of: ["MultiHeaderToken"],
    roles: ["placement", "identity"],
    facts: [],
  },
  paramName: {
    kind: "string",
    required: true,
    docs: "The query parameter that carries the token.",
    source: "auth-spec 2.2",
    of: ["QueryParamToken"],
    roles: ["placement"],
    facts: [],
  },
  params: {
    kind: "objectArray",
    required: true,
    fields: NAME_AND_DESCRIPTION,
    docs: "One entry for each prompt in the connect dialog.",
    source: "auth-spec 2.2",
    of: ["Custom", "MultiQueryParamToken"],
    roles: ["placement", "identity"],
    facts: [],
    varies: { MultiQueryParamToken: { docs: "One entry for each query parameter: its name and the prompt.", source: "sdk-facts 1" } },
  },
  uxConfig: {
    kind: "object",
    fields: [
      { name: "placeholderUsername", kind: "string", docs: "Replaces the dialog's label for the user name.", source: "auth-spec 2.2" },
      { name: "placeholderPassword", kind: "string", docs: "Replaces the dialog's label for the password.", source: "auth-spec 2.2" },
      {
        name: "usernameOnly",
        kind: "boolean",
        default: "false",
        docs: "Ask for the user name alone; the password is empty.",
        source: "sdk-facts 1",
      },
    ],
    docs: "The dialog's labels.",
    source: "auth-spec 2.2",
    of: ["WebBasic"],
    roles: [],
    facts: [],
  },
  service: {
    kind: "string",
    required: true,
    docs: `The AWS service that is called, such as \`s3\`.`,
    source: "sdk-facts 1",
    of: ["AWSAccessKey", "AWSAssumeRole"],
    roles: ["signature", "identity", "exact"],
    facts: [],
  },
  authorizationUrl: {
    kind: "url",
    required: true,
    docs: "Where the user is sent to authorize. Typically without parameters: the platform appends its own.",
    source: "auth-spec 2.3",
    of: ["OAuth2"],
    roles: ["identity"],
    facts: ["no-refresh-token", "scopes-differ", "pkce", "authorization-moved"],
  },
  tokenUrl: {
    kind: "url",
    required: true,
    docs: "The token endpoint: exchanges the temporary code for an access token.",
    source: "auth-spec 2.3",
    of: OAUTH,
    roles: ["identity"],
    facts: ["no-refresh-token", "client-authentication", "nested-token", "endpoint-in-token", "scopes-differ", "url-moved"],
    varies: { OAuth2ClientCredentials: { docs: "The token endpoint.", source: "sdk-facts 1" } },
  },
  scopes: {
    kind: "stringArray",
    docs: "The scopes that the pack needs, as the API defines them.",
    source: "auth-spec 2.3",
    of: [...OAUTH, "GoogleServiceAccount", "GoogleDomainWideDelegation"],
    roles: ["authorization request", "token request", "identity"],
    facts: ["no-refresh-token", "scopes-differ"],
    varies: {
      GoogleServiceAccount: { required: true, docs: "The scopes, at least one.", source: "sdk-facts 1" },
      GoogleDomainWideDelegation: { required: true, docs: "The scopes, at least one.", source: "sdk-facts 1" },
    },
  },
  scopeDelimiter: {
    kind: "string",
    needs: "scopes",
    values: [" ", ",", ";"],
    default: '" "',
    docs: "What joins the scopes in the authorization URL: a space, a comma or a semicolon.",
    source: "auth-spec 2.3",
    of: OAUTH,
    roles: ["authorization request", "token request", "identity"],
    facts: ["scopes-differ"],
  },
  scopeParamName: {
    kind: "string",
    needs: "scopes",
    default: '"scope"',
    docs: "The URL parameter that carries the scopes.",
    source: "sdk-facts 1",
    of: OAUTH,
    roles: ["authorization request", "token request", "identity", "exact"],
    facts: ["scopes-differ"],
  },
  tokenPrefix: {
    ...TOKEN_PREFIX,
    of: ["CustomHeaderToken", ...OAUTH],
    roles: ["placement"],
    facts: [],
    varies: Object.fromEntries(
      OAUTH.map((type) => [
        type,
        {
          default: '"Bearer"',
          docs: `Prefix in the Authorization header: \`Authorization: <tokenPrefix> <token>\`. An empty string means none.`,
          source: "auth-spec 2.3",
        },
      ]),
    ),
  },
  tokenQueryParam: {
    kind: "string",
    docs: "A URL query parameter that carries the token instead of a header, for providers that require it.",
    source: "auth-spec 2.3",
    of: OAUTH,
    roles: ["placement", "exact"],
    facts: [],
  },
  nestedResponseKey: {
    kind: "string",
    docs: "The object of the token response that contains the token.",
    source: "sdk-facts 1",
    of: OAUTH,
    roles: ["identity", "exact"],
    facts: ["nested-token"],
  },
  resource: {
    kind: "url",
    docs: "The resource indicator (RFC 8707) sent with both requests.",
    source: "sdk-facts 1",
    of: OAUTH,
    roles: ["authorization request", "token request", "identity"],
    facts: [],
  },
  credentialsLocation: {
    kind: "enum",
    enum: "TokenExchangeCredentialsLocation",
    default: "TokenExchangeCredentialsLocation.Automatic",
    docs: "Where the token exchange carries client ID and secret. Automatic tries the body, then the Authorization header.",
    source: "sdk-facts 1",
    of: OAUTH,
    roles: [],
    facts: ["client-authentication"],
  },
  additionalParams: {
    kind: "record",
    docs: "Further URL parameters for the redirect to authorizationUrl.",
    source: "auth-spec 2.3",
    of: ["OAuth2"],
    roles: ["authorization request", "identity"],
    facts: ["no-refresh-token"],
  },
  endpointKey: {
    kind: "string",
    docs: "The property of the token response with the account's endpoint URL.",
    source: "auth-spec 5.7",
    of: ["OAuth2"],
    roles: ["identity", "exact"],
    facts: ["endpoint-in-token"],
  },
  useProofKeyForCodeExchange: {
    kind: "boolean",
    default: "false",
    docs: "Use PKCE (RFC 7636).",
    source: "sdk-facts 1",
    of: ["OAuth2"],
    roles: [],
    facts: ["pkce"],
  },
  pkceChallengeMethod: {
    kind: "string",
    needs: "useProofKeyForCodeExchange",
    values: ["plain", "S256"],
    default: '"S256"',
    docs: "How the PKCE challenge is made.",
    source: "sdk-facts 1",
    of: ["OAuth2"],
    roles: ["authorization request"],
    facts: ["pkce"],
  },
  useDynamicClientRegistration: {
    kind: "boolean",
    default: "false",
    docs: "Register the client by itself (RFC 7591). Both URLs become optional: they are discovered.",
    source: "sdk-facts 1",
    of: ["OAuth2"],
    roles: [],
    facts: [],
  },
  instructionsUrl: {
    kind: "url",
    docs: "A help article, or the screen that lists the token. Shown as a link in the connect dialog.",
    source: "auth-spec 2.1",
    of: "most",
    roles: [],
    facts: [],
  },
  getConnectionName: {
    kind: "function",
    docs: "Async function that returns the account's label. It runs after the credentials are entered, with them applied to its requests; an empty value gives the default label.",
    source: "auth-spec 5.6",
    of: "most",
    roles: [],
    facts: [],
  },
  getConnectionUserId: {
    kind: "function",
    docs: "Async function that returns the user's id at the provider.",
    isHidden: true,
    source: "sdk-facts 1",
    of: "most",
    roles: [],
    facts: [],
  },
  requiresEndpointUrl: {
    kind: "boolean",
    default: "false",
    docs: "When true, each account has its own endpoint URL, entered by the user and used as the base of HTTP requests.",
    source: "auth-spec 2.1",
    of: "most",
    roles: [],
    facts: ["endpoint-in-token"],
  },
  endpointDomain: {
    kind: "string",
    docs: `The root domain that all endpoints share, such as \`example.com\`. It validates the endpoint URL that the user enters, nothing else.`,
    source: "auth-spec 5.7",
    of: "most",
    roles: [],
    facts: [],
  },
  postSetup: {
    kind: "objectArray",
    fields: SET_ENDPOINT_FIELDS,
    lenient: true,
    docs: `Steps run after the account is set up and before installation completes. \`SetEndpoint\` lets the user pick the account's endpoint.`,
    source: "auth-spec 2.4",
    of: "most",
    roles: [],
    facts: [],
  },
  networkDomain: {
    kind: "stringOrStringArray",
    docs: "Which of the declared network domains receive the credentials. Needed when several are declared.",
    source: "sdk-facts 2",
    of: "most",
    roles: [],
    facts: [],
  },
  // The Packs SDK removes it before it validates the rest.
  defaultConnectionRequirement: {
    kind: "enum",
    enum: "ConnectionRequirement",
    default: "ConnectionRequirement.Required",
    docs: "Whether formulas and sync tables need a connected account unless they say otherwise.",
    source: "auth-spec 5.1",
    of: "user",
    roles: [],
    facts: [],
  },
} as const satisfies Readonly<Record<string, ConfigurationField>>;

type Fields = typeof CONFIGURATION_FIELDS;
export type FieldName = keyof Fields;

/** The fields with one of the roles. */
export type FieldWith<Some extends Role> = {
  [Name in FieldName]: Extract<Fields[Name]["roles"][number], Some> extends never ? never : Name;
}[FieldName];

const NAMES = Object.keys(CONFIGURATION_FIELDS) as readonly FieldName[];

export const fieldsWith = <Some extends Role>(...roles: readonly Some[]): readonly FieldWith<Some>[] =>
  NAMES.filter((name): name is FieldWith<Some> => rolesOf(name).some((role) => roles.includes(role as Some)));

const rolesOf = (name: FieldName): readonly Role[] => CONFIGURATION_FIELDS[name].roles;

/** The facts that depend on a field, which are all about the configuration. The compiler names one that no field names. */
export type JudgedCode = Fields[FieldName]["facts"][number] | CodeAbout<"credential" | "production">;

/**
 * Returns the fields that a fact depends on besides the type. A sign-in of the published pack may fail at any step, so that its fact depends
 * on every field that has a part in one.
 */
export function fieldsJudgedBy(code: JudgedCode): readonly FieldName[] {
  if (EVIDENCE[code] === "credential") return fieldsWith("placement");
  if (EVIDENCE[code] === "production") return NAMES.filter((name) => factsOf(name).length > 0 || rolesOf(name).length > 0);
  return NAMES.filter((name) => factsOf(name).includes(code));
}

const factsOf = (name: FieldName): readonly ConfigurationCode[] => CONFIGURATION_FIELDS[name].facts;

const specOf = (name: FieldName, type?: AuthTypeName): FieldSpec => {
  const { varies, ...field }: ConfigurationField = CONFIGURATION_FIELDS[name];
  return { name, ...field, ...(type === undefined ? {} : varies?.[type]) };
};

const fieldsOfAll = (owners: ConfigurationField["of"]): readonly FieldSpec[] =>
  NAMES.filter((name) => CONFIGURATION_FIELDS[name].of === owners).map((name) => specOf(name));

export const TYPE_FIELDS = fieldsOfAll("all");
/** Fields that every type but None and Various takes (auth-spec 2.1, sdk-facts 1). */
export const BASE_FIELDS = fieldsOfAll("most");
/** Fields that are legal on setUserAuthentication only, for every type. */
export const USER_ONLY_FIELDS = fieldsOfAll("user");

/** Returns the type's own fields. */
export const ownFields = (type: AuthTypeName): readonly FieldSpec[] =>
  NAMES.filter((name) => {
    const owners: ConfigurationField["of"] = CONFIGURATION_FIELDS[name].of;
    return typeof owners === "object" && owners.includes(type);
  }).map((name) => specOf(name, type));

/** The fields whose values the pack's process reports as they are. */
export type DataField = Exclude<{ [Name in FieldName]: Fields[Name]["kind"] extends "function" ? never : Name }[FieldName], Special>;
type Special = "type" | "postSetup";

type ValueOf<Field> = Field extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Field extends { readonly enum: infer Name extends EnumName }
    ? (typeof ENUMS)[Name][keyof (typeof ENUMS)[Name]]
    : Field extends { readonly kind: "object"; readonly fields: readonly (infer Inner extends FieldSpec)[] }
      ? { readonly [Each in Inner as Each["name"]]?: ValueOf<Each> }
      : Field extends { readonly kind: infer Kind extends keyof ValueOfKind }
        ? ValueOfKind[Kind]
        : never;

/** The values of a configuration once the pack runs. */
export type ConfigurationValues = { readonly [Name in DataField]?: ValueOf<Fields[Name]> };

const SPECIAL: readonly FieldName[] = ["type", "postSetup"] satisfies Special[];

export const DATA_FIELDS: readonly FieldSpec[] = NAMES.filter((name) => !SPECIAL.includes(name))
  .map((name) => specOf(name))
  .filter(({ kind }) => kind !== "function");
