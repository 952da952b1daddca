// The fields of authentication configurations as data: the kind of value of each, its meaning, and its source.
// Invariant: no logic beyond look-ups lives in spec/; rules, completions, hovers and flows all read these same records.
import type { AuthTypeName } from "./auth-type-name.ts";

/** What a value of each kind is once the pack runs. A function stays in the pack's process. */
export interface ValueOfKind {
  readonly string: string;
  readonly url: string;
  readonly boolean: boolean;
  readonly stringArray: readonly string[];
  readonly stringOrStringArray: string | readonly string[];
  readonly function: never;
  readonly record: Readonly<Record<string, unknown>>;
  readonly enum: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly objectArray: readonly NamedCredential[];
}

/** A value that users enter, and the name under which it is sent. */
export interface NamedCredential {
  readonly name: string;
  readonly description: string;
  readonly tokenPrefix?: string;
}

/** One field of a configuration or of an object inside one. */
export interface FieldSpec {
  readonly name: string;
  readonly kind: keyof ValueOfKind;
  /** False by default. */
  readonly required?: boolean;
  /** One or two sentences for hovers and completions. */
  readonly docs: string;
  /** The value that the platform assumes if the field is absent, as source text. */
  readonly default?: string;
  /** The field without which this one has no effect. */
  readonly needs?: string;
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
  /**
   * The section of the specification, or of the SDK facts, that defines the field. `sdk-facts` also means that an older SDK may lack the
   * field, which the rule field-unknown then says.
   */
  readonly source: string;
}

export type EnumName =
  | "AuthenticationType"
  | "ConnectionRequirement"
  | "PostSetupType"
  | "TokenExchangeCredentialsLocation"
  | "DefaultConnectionType";

/** The members of the Packs SDK's enums: member name → value. An empty record means that the members are unknown. */
export const ENUMS = {
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
  TokenExchangeCredentialsLocation: { Automatic: "Automatic", Body: "Body", AuthorizationHeader: "AuthorizationHeader" },
  DefaultConnectionType: {},
} as const satisfies Readonly<Record<EnumName, Readonly<Record<string, string>>>>;

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
  { name: "description", kind: "string", required: true, docs: "The prompt shown in the selection dialog.", source: "auth-spec 2.4" },
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
