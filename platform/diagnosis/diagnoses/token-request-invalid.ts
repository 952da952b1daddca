import { IF_PKCE } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";
import { listsPkce } from "../oauth-facts.ts";

export default diagnosis({
  id: "token-request-invalid",
  docs: `The token endpoint misses a parameter, does not know one, or got one twice. At a refresh the refresh token may have expired as well. Compare tokenUrl and the fields of the configuration with the provider's documentation. If the provider's metadata lists PKCE, it may demand useProofKeyForCodeExchange.`,
  source: "RFC 6749, section 5.2, invalid_request; LemonLDAP::NG sends it for an unknown refresh token",
  examples: [
    { phase: "code", exchange: '400 {"error":"invalid_request"}', says: "a parameter that tokenUrl expects is missing", field: "tokenUrl" },
    {
      phase: "refresh",
      exchange: '400 {"error":"invalid_request"}',
      says: "the refresh token is expired or was revoked, or",
      field: "tokenUrl",
    },
    { phase: "code", exchange: '400 {"error":"invalid_client"}', silent: true },
  ],
  when(failure) {
    if (codeOf(failure) !== "invalid_request" || !asksToken(failure)) return undefined;
    const pkce = failure.phase === "code" && listsPkce(failure) && failure.auth.useProofKeyForCodeExchange !== true ? ` ${IF_PKCE}` : "";
    if (failure.phase === "refresh")
      return {
        reason: "the refresh token is expired or was revoked, or a parameter that tokenUrl expects is missing",
        advice:
          "Sign in again. If this happens again, compare tokenUrl and the fields of the configuration with the provider's documentation.",
        field: "tokenUrl",
        isVague: true,
      };
    return {
      reason: "a parameter that tokenUrl expects is missing, or one is unknown or sent twice",
      advice: `Compare tokenUrl and the fields of the configuration with the provider's documentation.${pkce}`,
      field: "tokenUrl",
      isVague: true,
    };
  },
});
