import { IF_PKCE } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { codeOf, descriptionOf, missingParameter } from "../facts.ts";
import { hasDocumentedUrl, listsPkce } from "../oauth-facts.ts";

export default diagnosis({
  id: "authorization-parameter-missing",
  docs: `The authorization page misses a parameter, does not know one, or got one twice. Add what the provider's documentation demands to additionalParams. If the provider's metadata lists PKCE, it may demand useProofKeyForCodeExchange.`,
  source: "RFC 6749, section 4.1.2.1, invalid_request",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2", authorizationUrl: "https://github.com/login/oauth/authorize" },
      exchange: "error=invalid_request",
      says: "authorizationUrl is that of the provider's documentation",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2" },
      exchange: "error=invalid_request&error_description=Missing parameter: audience",
      says: "the parameter audience is missing from additionalParams",
      field: "additionalParams",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2" },
      exchange: "error=invalid_request",
      says: "a parameter is missing, unknown or sent twice (see authorizationUrl)",
      field: "authorizationUrl",
    },
    { phase: "code", exchange: '400 {"error":"invalid_request"}', silent: true },
  ],
  when(failure) {
    const code = codeOf(failure) ?? "";
    const missing = missingParameter(descriptionOf(failure));
    if (failure.phase !== "authorization" || !(code === "invalid_request" || (code === "" && missing !== undefined))) return undefined;
    const pkce = listsPkce(failure) && failure.auth.useProofKeyForCodeExchange !== true ? ` ${IF_PKCE}` : "";
    if (missing !== undefined)
      return {
        reason: `the parameter ${missing} is missing from additionalParams`,
        advice: `Add ${missing} to additionalParams, as the provider's documentation has it, and sign in again.${pkce}`,
        field: "additionalParams",
      };
    if (hasDocumentedUrl(failure.auth))
      return {
        reason: "a parameter is missing, unknown or sent twice",
        advice: `authorizationUrl is that of the provider's documentation. Compare scopes and additionalParams with it, and the client ID.${pkce}`,
      };
    const field = failure.auth.additionalParams === undefined ? "authorizationUrl" : "additionalParams";
    return {
      reason: `a parameter is missing, unknown or sent twice (see ${field})`,
      advice: `Compare authorizationUrl and additionalParams with the provider's documentation.${pkce}`,
      field,
    };
  },
});
