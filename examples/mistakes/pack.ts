// Mistakes to look at: each would come to light only after uploading. Put the cursor on a squiggle and take the quick fix.
import * as coda from "@codahq/packs-sdk";
import { search } from "./requests";

export const pack = coda.newPack();

// No network domain is declared: nothing could receive the credentials.
pack.setUserAuthentication({
  // "CustomHeader" is no type.
  type: coda.AuthenticationType.CustomHeader,
  headerName: "X-Api-Key",
  // The toolkit knows no such field.
  instructionUrl: "https://help.shop.example/tokens",
});

pack.setSystemAuthentication({
  type: coda.AuthenticationType.OAuth2ClientCredentials,
  // The platform asks for the token at an absolute address.
  tokenUrl: "/oauth/token",
  // Scopes are a list.
  scopes: "shop:read",
  // This belongs to OAuth2, where a user signs in.
  authorizationUrl: "https://login.shop.example/authorize",
});

pack.addFormula({
  name: "Search",
  description: "Searches the shop.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "query", description: "What to look for." })],
  resultType: coda.ValueType.String,
  execute: async ([query], context) => search(context, query),
});
