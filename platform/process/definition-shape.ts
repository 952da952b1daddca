// The shape of a pack's definition as its process sends it. Fields that only describe the author's configuration are read leniently: a
// field of the wrong type is left out. The analysis reports such a field, and nothing here may fail because of it.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { PlacementFields } from "../../spec/credential-placement.ts";
import { anything, count, dictionary, either, flag, lenient, list, oneOf, optional, record, type Shape, text } from "./shape.ts";

const requirement = oneOf("none", "optional", "required");

const named = record({ name: text, description: lenient(text), tokenPrefix: lenient(text) });
/** The protocol requires a description, but an author in JavaScript may have left it out. */
const credentials = (value: unknown) => list(named)(value).map((each) => ({ description: "", ...each }));

/** The authentication as the pack reports it, with all fields that place the credential. The host adds credentialDomains. */
type ReportedAuthentication = Omit<AuthenticationDefinition & Pick<AuthenticationDefinition, keyof PlacementFields>, "credentialDomains">;

const authentication = record({
  type: text,
  instructionsUrl: lenient(text),
  requiresEndpointUrl: lenient(flag),
  endpointDomain: lenient(text),
  networkDomain: lenient(either(text, list(text))),
  hasGetConnectionName: flag,
  postSetup: list(record({ name: text, description: text, hasOptions: flag })),
  headerName: lenient(text),
  tokenPrefix: lenient(text),
  paramName: lenient(text),
  headers: lenient(credentials),
  params: lenient(credentials),
  uxConfig: lenient(record({ placeholderUsername: lenient(text), placeholderPassword: lenient(text), usernameOnly: lenient(flag) })),
  service: lenient(text),
  authorizationUrl: lenient(text),
  tokenUrl: lenient(text),
  scopes: lenient(list(text)),
  scopeDelimiter: lenient(text),
  scopeParamName: lenient(text),
  tokenQueryParam: lenient(text),
  nestedResponseKey: lenient(text),
  resource: lenient(text),
  credentialsLocation: lenient(oneOf("Automatic", "Body", "AuthorizationHeader")),
  additionalParams: lenient(dictionary(anything)),
  endpointKey: lenient(text),
  useProofKeyForCodeExchange: lenient(flag),
  pkceChallengeMethod: lenient(oneOf("plain", "S256")),
  useDynamicClientRegistration: lenient(flag),
} satisfies Readonly<Record<keyof ReportedAuthentication, Shape<unknown>>>);

const parameter = record({
  name: text,
  description: text,
  kind: oneOf("string", "number", "boolean", "date", "html", "image", "file", "markdown", "email", "unknown"),
  shape: oneOf("scalar", "array", "sparseArray"),
  optional: flag,
  suggestedValue: optional(anything),
  hasAutocomplete: flag,
});

const runnableFields = {
  name: text,
  description: lenient(text),
  parameters: list(parameter),
  varargParameters: list(parameter),
  connectionRequirement: requirement,
  extraOAuthScopes: lenient(list(text)),
  schema: optional(anything),
};

/** See PackDefinition in protocol/definition.ts. */
export const definition = record({
  networkDomains: list(text),
  mcpServers: lenient(list(record({ name: text, endpointUrl: text }))),
  userAuthentication: optional(authentication),
  systemAuthentication: optional(authentication),
  formulas: list(
    record({
      ...runnableFields,
      isAction: flag,
      resultType: lenient(text),
      examples: lenient(list(record({ params: lenient(list(anything)), result: optional(anything) }))),
    }),
  ),
  syncTables: list(
    record({
      ...runnableFields,
      isDynamic: flag,
      functions: lenient(list(oneOf("listDynamicUrls", "searchDynamicUrls", "getName", "getDisplayUrl", "getSchema"))),
      updateOAuthScopes: lenient(list(text)),
      isTwoWay: lenient(flag),
      updateBatchSize: lenient(count),
      hasValidateParameters: lenient(flag),
    }),
  ),
  isUnnamed: lenient(flag),
});
