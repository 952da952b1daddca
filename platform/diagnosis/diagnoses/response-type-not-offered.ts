import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "response-type-not-offered",
  docs: `The authorization page does not offer the authorization code grant, which OAuth2 needs. Check authorizationUrl.`,
  source: "RFC 6749, section 4.1.2.1, unsupported_response_type",
  examples: [
    {
      phase: "authorization",
      exchange: "error=unsupported_response_type",
      says: "authorizationUrl does not offer the authorization code grant",
      field: "authorizationUrl",
    },
    { phase: "authorization", exchange: "error=invalid_request", silent: true },
  ],
  fits: (failure) => codeOf(failure) === "unsupported_response_type",
  cause: {
    reason: "authorizationUrl does not offer the authorization code grant (response_type=code)",
    advice: "Check authorizationUrl. OAuth2 needs a provider with the authorization code grant.",
    field: "authorizationUrl",
  },
});
