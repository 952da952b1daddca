import { COMPARE_TOKEN_URL } from "../advice.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { codeOf, descriptionOf } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";

export default diagnosis({
  id: "token-url-of-another-service",
  docs: `tokenUrl is the address of another service of the provider: it answers with an error that no token endpoint sends. Compare tokenUrl with the provider's documentation.`,
  source: "RFC 6749, section 5.2; RFC 6750, section 3.1; RFC 7009, section 2.2.1",
  examples: [
    {
      phase: "code",
      exchange: http`
      POST https://id.acme.example/authorize

      400

      {"error":"unsupported_response_type"}`,
      says: "tokenUrl is the address of another service",
      field: "tokenUrl",
    },
    { phase: "authorization", exchange: "error=unsupported_response_type", silent: true },
  ],
  when(failure) {
    const code = codeOf(failure) ?? "";
    const isOfResponseType = code === "invalid_request" && /response[_ ]type/i.test(descriptionOf(failure));
    if (!asksToken(failure) || !(isOfResponseType || OF_OTHER_SERVICES.includes(code))) return undefined;
    return { reason: "tokenUrl is the address of another service of the provider", advice: COMPARE_TOKEN_URL, field: "tokenUrl" };
  },
});

/** Codes of the authorization page, APIs, revocation and registration, which a token endpoint does not send. */
const OF_OTHER_SERVICES: readonly string[] = [
  "unsupported_response_type",
  "invalid_token",
  "unsupported_token_type",
  "invalid_client_metadata",
];
