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
