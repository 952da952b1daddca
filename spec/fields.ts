// The fields of authentication configurations as data: the kind of value of each, its meaning, and its source.
// Invariant: no logic beyond look-ups lives in spec/; rules, completions, hovers and flows all read these same records.
import type { AuthTypeName } from "./auth-type-name.ts";

/** The shape of a field's value, as far as a source text or a running definition can show it. */
type ValueKind =
  | "string"
  | "url"
  | "boolean"
  | "stringArray"
  | "stringOrStringArray"
  | "function"
  | "record"
  | "enum"
  | "object"
  | "objectArray";

/** One field of a configuration or of an object inside one. */
export interface FieldSpec {
  readonly name: string;
  readonly kind: ValueKind;
  /** False by default. */
  readonly required?: boolean;
  /** One or two sentences for hovers and completions. */
  readonly docs: string;
  /** The value that the platform assumes if the field is absent, as source text. */
  readonly default?: string;
  /** The legal values of a string field. */
  readonly values?: readonly string[];
  /** The Packs SDK's enum whose members are legal here. */
  readonly enum?: EnumName;
  /** The fields of a nested object, or of each element of an object array. */
  readonly fields?: readonly FieldSpec[];
  /** True if unknown keys inside the nested object are only warnings (postSetup steps). */
  readonly lenient?: boolean;
  /** Why the field should no longer be used, and what to use instead. */
  readonly deprecated?: string;
  /** Whether completion omits the field. */
  readonly isHidden?: boolean;
  /** The section of the specification, or of the SDK facts, that defines the field. */
  readonly source: string;
}

export type EnumName =
  | "AuthenticationType"
  | "ConnectionRequirement"
  | "PostSetupType"
  | "TokenExchangeCredentialsLocation"
  | "DefaultConnectionType";

/** The members of the Packs SDK's enums: member name → value. An empty record means that the members are unknown. */
export const ENUMS: Readonly<Record<EnumName, Readonly<Record<string, string>>>> = {
  AuthenticationType: {
    None: "None",
    HeaderBearerToken: "HeaderBearerToken",
    CustomHeaderToken: "CustomHeaderToken",
    MultiHeaderToken: "MultiHeaderToken",
    QueryParamToken: "QueryParamToken",
    MultiQueryParamToken: "MultiQueryParamToken",
    OAuth2: "OAuth2",
    OAuth2ClientCredentials: "OAuth2ClientCredentials",
    WebBasic: "WebBasic",
    Custom: "Custom",
    AWSAccessKey: "AWSAccessKey",
    AWSAssumeRole: "AWSAssumeRole",
    CodaApiHeaderBearerToken: "CodaApiHeaderBearerToken",
    GoogleDomainWideDelegation: "GoogleDomainWideDelegation",
    GoogleServiceAccount: "GoogleServiceAccount",
    Various: "Various",
  } satisfies Readonly<Record<AuthTypeName, string>>,
  ConnectionRequirement: { None: "none", Optional: "optional", Required: "required" },
  PostSetupType: { SetEndpoint: "SetEndPoint" },
  TokenExchangeCredentialsLocation: {
    Automatic: "Automatic",
    Body: "Body",
    AuthorizationHeader: "AuthorizationHeader",
  },
  DefaultConnectionType: {},
};

/** The fields of a SetEndpoint step (auth-spec 2.4). */
export const SET_ENDPOINT_FIELDS: readonly FieldSpec[] = [
  {
    name: "type",
    kind: "enum",
    enum: "PostSetupType",
    required: true,
    docs: `The kind of step. \`PostSetupType.SetEndpoint\` lets the user pick the account's endpoint.`,
    source: "auth-spec 2.4",
  },
  { name: "name", kind: "string", required: true, docs: "The step's name, unique in the configuration.", source: "auth-spec 2.4" },
  {
    name: "description",
    kind: "string",
    required: true,
    docs: "The prompt shown in the selection dialog.",
    source: "auth-spec 2.4",
  },
  {
    name: "getOptions",
    kind: "function",
    docs: `Async function that returns the endpoints to choose from: strings, or objects with \`display\` and \`value\`, the value being the endpoint's URL.`,
    source: "sdk-facts 1",
  },
  {
    name: "getOptionsFormula",
    kind: "function",
    docs: `The former name of \`getOptions\`.`,
    deprecated: `Today's Packs SDK rejects it at upload. Use \`getOptions\`.`,
    source: "auth-spec 2.4",
  },
];

/** Fields that every type but None and Various takes (auth-spec 2.1, sdk-facts 1). */
export const BASE_FIELDS: readonly FieldSpec[] = [
  {
    name: "instructionsUrl",
    kind: "url",
    docs: "A help article, or the screen that lists the token. Shown as a link in the connect dialog.",
    source: "auth-spec 2.1",
  },
  {
    name: "getConnectionName",
    kind: "function",
    docs: "Async function that returns the account's label. It runs after the credentials are entered, with them applied to its requests; an empty value gives the default label.",
    source: "auth-spec 5.6",
  },
  {
    name: "getConnectionUserId",
    kind: "function",
    docs: "Async function that returns the user's id at the provider.",
    isHidden: true,
    source: "sdk-facts 1",
  },
  {
    name: "requiresEndpointUrl",
    kind: "boolean",
    default: "false",
    docs: "When true, each account has its own endpoint URL, entered by the user and used as the base of HTTP requests.",
    source: "auth-spec 2.1",
  },
  {
    name: "endpointDomain",
    kind: "string",
    docs: `The root domain that all endpoints share, such as \`example.com\`. It validates the endpoint URL that the user enters, nothing else.`,
    source: "auth-spec 5.7",
  },
  {
    name: "postSetup",
    kind: "objectArray",
    fields: SET_ENDPOINT_FIELDS,
    lenient: true,
    docs: `Steps run after the account is set up and before installation completes. \`SetEndpoint\` lets the user pick the account's endpoint.`,
    source: "auth-spec 2.4",
  },
  {
    name: "networkDomain",
    kind: "stringOrStringArray",
    docs: "Which of the declared network domains receive the credentials. Needed when several are declared.",
    source: "sdk-facts 2",
  },
];

/** Fields that are legal on setUserAuthentication only, for every type. The Packs SDK removes them before it validates the rest. */
export const USER_ONLY_FIELDS: readonly FieldSpec[] = [
  {
    name: "defaultConnectionRequirement",
    kind: "enum",
    enum: "ConnectionRequirement",
    default: "ConnectionRequirement.Required",
    docs: "Whether formulas and sync tables need a connected account unless they say otherwise.",
    source: "auth-spec 5.1",
  },
];

/** Fields that the specification names, but that the Packs SDK has removed. Using one is a warning if the SDK lacks it (sdk-facts 5). */
export const REMOVED_FIELDS: readonly FieldSpec[] = [
  {
    name: "defaultConnectionType",
    kind: "enum",
    enum: "DefaultConnectionType",
    isHidden: true,
    docs: "The default manner in which the account is used.",
    deprecated: "The Packs SDK removed it in 0.11.0.",
    source: "auth-spec 2.1",
  },
];

/** Common misnomers → the intended fields (auth-spec 2.2: its prose has "uxOptions"). */
export const FIELD_ALIASES: ReadonlyMap<string, readonly string[]> = new Map([
  ["uxoptions", ["uxConfig"]],
  ["authtype", ["type"]],
  ["authenticationtype", ["type"]],
  ["authurl", ["authorizationUrl"]],
  ["authorizeurl", ["authorizationUrl"]],
  ["authorizationendpoint", ["authorizationUrl"]],
  ["accesstokenurl", ["tokenUrl"]],
  ["tokenendpoint", ["tokenUrl"]],
  ["tokenauthmethod", ["credentialsLocation"]],
  ["clientauthentication", ["credentialsLocation"]],
  ["responsekey", ["nestedResponseKey"]],
  ["docsurl", ["instructionsUrl"]],
  ["documentationurl", ["instructionsUrl"]],
  ["helpurl", ["instructionsUrl"]],
  ["getname", ["getConnectionName"]],
  ["getaccountname", ["getConnectionName"]],
  ["getaccountlabel", ["getConnectionName"]],
  ["defaultrequirement", ["defaultConnectionRequirement"]],
  ["postsetupsteps", ["postSetup"]],
  // No field has the endpoint as its value, because each account has its own.
  ["endpoint", []],
  ["endpointurl", []],
  ["headername", ["name"]],
  ["header", ["name", "headerName"]],
  ["tokenheader", ["headerName"]],
  ["paramname", ["name"]],
  ["key", ["name"]],
  ["id", ["name"]],
  ["name", ["headerName", "paramName"]],
  ["queryparam", ["paramName"]],
  ["queryparamname", ["paramName"]],
  ["parameter", ["paramName"]],
  ["label", ["description"]],
  ["prompt", ["description"]],
  ["fields", ["params"]],
  ["parameters", ["params"]],
  ["servicename", ["service"]],
  ["scopeseparator", ["scopeDelimiter"]],
  ["separator", ["scopeDelimiter"]],
  ["extraparams", ["additionalParams"]],
  ["authorizationparams", ["additionalParams"]],
  ["queryparams", ["additionalParams"]],
  ["authprefix", ["tokenPrefix"]],
  ["headerprefix", ["tokenPrefix"]],
  ["prefix", ["tokenPrefix"]],
  ["usepkce", ["useProofKeyForCodeExchange"]],
  ["pkce", ["useProofKeyForCodeExchange"]],
  ["pkcemethod", ["pkceChallengeMethod"]],
  ["usernameplaceholder", ["placeholderUsername"]],
  ["passwordplaceholder", ["placeholderPassword"]],
  ["usernamelabel", ["placeholderUsername"]],
  ["passwordlabel", ["placeholderPassword"]],
]);
