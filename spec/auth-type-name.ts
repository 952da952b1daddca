// The authentication types by name, as `AuthenticationType` of the Packs SDK has them.
export type AuthTypeName =
  | "None"
  | "Various"
  | "HeaderBearerToken"
  | "CodaApiHeaderBearerToken"
  | "CustomHeaderToken"
  | "MultiHeaderToken"
  | "QueryParamToken"
  | "MultiQueryParamToken"
  | "Custom"
  | "WebBasic"
  | "AWSAccessKey"
  | "AWSAssumeRole"
  | "GoogleServiceAccount"
  | "GoogleDomainWideDelegation"
  | "OAuth2ClientCredentials"
  | "OAuth2";

/** Other names of a type, in lower case → the type. Only names from which the type cannot be derived. */
export const TYPE_ALIASES: ReadonlyMap<string, AuthTypeName> = new Map([
  ["anonymous", "None"],
  ["noauth", "None"],
  ["noauthentication", "None"],
  ["noneauth", "None"],
  ["public", "None"],
  ["basic", "WebBasic"],
  ["basicauth", "WebBasic"],
  ["httpbasic", "WebBasic"],
  ["userpassword", "WebBasic"],
  ["usernamepassword", "WebBasic"],
  ["bearer", "HeaderBearerToken"],
  ["bearertoken", "HeaderBearerToken"],
  ["headerapikey", "CustomHeaderToken"],
  ["headerauthtoken", "CustomHeaderToken"],
  ["headertoken", "CustomHeaderToken"],
  ["querystring", "QueryParamToken"],
  ["querytoken", "QueryParamToken"],
  ["urltoken", "QueryParamToken"],
  ["aws", "AWSAccessKey"],
  ["awssignature", "AWSAccessKey"],
  ["awsrole", "AWSAssumeRole"],
  ["authorizationcode", "OAuth2"],
  ["oauth1", "OAuth2"],
  ["oidc", "OAuth2"],
  ["openidconnect", "OAuth2"],
]);
