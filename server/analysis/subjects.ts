// What rules may say that they speak of, each a bit: things that a pack has, types of authentication, fields of configurations. What counts
// as such is told in signs.ts.
import { AUTH_TYPES, type AuthTypeName } from "../../spec/auth-types.ts";

/** What a rule may speak of. */
export const SUBJECTS = {
  /** A configuration, or a call that sets one, even of what cannot be read. */
  authentication: 1 << 0,
  /** A configuration of a type that the model knows. */
  knownType: 1 << 1,
  systemAuthentication: 1 << 2,
  /** A type that is chosen by a condition, is not read, or may be none that there is. */
  doubtfulType: 1 << 3,
  /** A field that the type may not have, or one with fields of its own. */
  doubtfulField: 1 << 4,
  /** A field that the toolkit has given up, or postSetup, in which one may be. */
  formerField: 1 << 5,
  /** More than one call or definition that sets an authentication. */
  severalSettings: 1 << 6,
  /** A call that sets the pack up and stands in a function. */
  lateSetting: 1 << 7,
  /** What OAuth's requests carry beside what the platform puts there. */
  addedParam: 1 << 8,
  domain: 1 << 9,
  /** One that may not be bare, or is not written out. */
  doubtfulDomain: 1 << 10,
  /** A request, or what may be one. */
  request: 1 << 11,
  /** `context.endpoint` in use, or a relative URL. */
  endpoint: 1 << 12,
  /** A URL to which credentials go and that may begin with http: in some spelling. */
  plainHttp: 1 << 13,
  /** The invocation token where it may be sent as it is. */
  invocationToken: 1 << 14,
  /** A credential that may be written out in the source. */
  credential: 1 << 15,
  /** A header or parameter of a request that may be the account's. */
  ownCredential: 1 << 16,
  runnable: 1 << 17,
  /** A connection requirement that is given. */
  requirement: 1 << 18,
  placeholder: 1 << 19,
  /** A configuration without a type that can be read, or a call that sets none. */
  missingType: 1 << 20,
  severalDomains: 1 << 21,
  /** An authentication, and no domain that is or may be declared. */
  missingDomain: 1 << 22,
  /** An import of the toolkit where none is installed. */
  missingToolkit: 1 << 23,
} as const;

export type Subject = keyof typeof SUBJECTS;

/** Fields that rules speak of, or that tell something here. */
export const FIELDS = {
  additionalParams: 1 << 0,
  authorizationUrl: 1 << 1,
  defaultConnectionRequirement: 1 << 2,
  deferConnectionSetup: 1 << 3,
  endpointDomain: 1 << 4,
  endpointKey: 1 << 5,
  getConnectionName: 1 << 6,
  headerName: 1 << 7,
  headers: 1 << 8,
  instructionsUrl: 1 << 9,
  networkDomain: 1 << 10,
  paramName: 1 << 11,
  params: 1 << 12,
  pkceChallengeMethod: 1 << 13,
  postSetup: 1 << 14,
  requiresEndpointUrl: 1 << 15,
  scopeDelimiter: 1 << 16,
  scopes: 1 << 17,
  tokenPrefix: 1 << 18,
  tokenQueryParam: 1 << 19,
  tokenUrl: 1 << 20,
} as const;

export type FieldName = keyof typeof FIELDS;

/** The types of authentication, as bits. */
export const TYPES: ReadonlyMap<AuthTypeName, number> = new Map(
  (Object.keys(AUTH_TYPES) as AuthTypeName[]).map((name, index) => [name, 1 << index]),
);
