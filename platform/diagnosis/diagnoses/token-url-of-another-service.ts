import { COMPARE_TOKEN_URL, COPY_ANEW } from "../advice.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { codeOf, descriptionOf } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";
import { refusesClient } from "../oauth-facts.ts";

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
    {
      phase: "code",
      exchange: '401 {"error":"invalid_token"}',
      says: "the client ID or secret is wrong, or tokenUrl is",
      field: "tokenUrl",
    },
    { phase: "authorization", exchange: "error=unsupported_response_type", silent: true },
  ],
  when(failure) {
    const code = codeOf(failure) ?? "";
    const isOfResponseType = code === "invalid_request" && /response[_ ]type/i.test(descriptionOf(failure));
    if (!asksToken(failure) || !(isOfResponseType || OF_OTHER_SERVICES.includes(code))) return undefined;
    const reason = "tokenUrl is the address of another service of the provider";
    // An API says 401 to a request without its token, and some token endpoints say it to a wrong client.
    return refusesClient(failure)
      ? {
          reason: `the client ID or secret is wrong, or ${reason}`,
          advice: `${COPY_ANEW}: Add OAuth credentials. ${COMPARE_TOKEN_URL}`,
          field: "tokenUrl",
          blamesClient: true,
        }
      : { reason, advice: COMPARE_TOKEN_URL, field: "tokenUrl" };
  },
});

/** Codes of the authorization page, APIs, revocation and registration, which a token endpoint does not send. */
const OF_OTHER_SERVICES: readonly string[] = [
  "unsupported_response_type",
  "invalid_token",
  "unsupported_token_type",
  "invalid_client_metadata",
];
