import { diagnosis } from "../diagnosis.ts";
import { codeOf, descriptionOf } from "../facts.ts";
import { requestedScopes } from "../oauth-facts.ts";

export default diagnosis({
  id: "client-scopes-refused",
  docs: `The provider refuses the client because of its scopes: they are not allowed for this application. The client ID and the secret need not be wrong. Allow the scopes in the provider's developer settings, or remove them from scopes.`,
  source: "RFC 6749, section 5.2, invalid_client with a description about scopes",
  examples: [
    {
      phase: "code",
      auth: { type: "OAuth2", scopes: ["admin"] },
      exchange: '400 {"error":"invalid_client","error_description":"Client is not allowed to request scope admin"}',
      says: "it does not allow the scopes for this application",
      field: "scopes",
    },
    { phase: "code", exchange: '401 {"error":"invalid_client"}', silent: true },
  ],
  when(failure) {
    if (!["invalid_client", "unauthorized_client"].includes(codeOf(failure) ?? "") || !/\bscopes?\b/i.test(descriptionOf(failure)))
      return undefined;
    return {
      reason: "it does not allow the scopes for this application",
      advice: `Allow them for the application in the provider's developer settings, or remove them from scopes. ${requestedScopes(failure.auth)}`,
      field: "scopes",
    };
  },
});
