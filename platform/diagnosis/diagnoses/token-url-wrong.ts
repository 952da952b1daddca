import { COMPARE_TOKEN_URL, COPY_ANEW } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { statusOf } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";

export default diagnosis({
  id: "token-url-wrong",
  docs: `The token endpoint does not accept the request, and does not say why in the words of OAuth. Compare tokenUrl with the provider's documentation: host, path, version and a slash at the end all count. A 401 or 403 may also mean a wrong client ID or secret.`,
  source: "RFC 9110, section 15.5; RFC 6749, section 5.2",
  examples: [
    { phase: "code", exchange: "404", says: "there is no token endpoint at tokenUrl", field: "tokenUrl" },
    { phase: "code", exchange: "403", says: "the client ID or secret is wrong, or it forbids such requests" },
    { phase: "code", exchange: "500", silent: true },
  ],
  when(failure) {
    const status = /^http_\d{3}$/.test(failure.providerError?.code ?? "") ? statusOf(failure) : undefined;
    if (!asksToken(failure) || status === undefined) return undefined;
    if (status === 403)
      return {
        reason: "the client ID or secret is wrong, or it forbids such requests",
        advice: `${COPY_ANEW}. ${COMPARE_TOKEN_URL}`,
        nextStep: { do: "addClient" },
        isVague: true,
      };
    return {
      reason:
        status === 404 || status === 405 || status === 410
          ? "there is no token endpoint at tokenUrl"
          : "tokenUrl does not accept such a request",
      advice: COMPARE_TOKEN_URL,
      field: "tokenUrl",
      isVague: true,
    };
  },
});
