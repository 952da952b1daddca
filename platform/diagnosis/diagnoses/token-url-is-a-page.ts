import { diagnosis } from "../diagnosis.ts";
import { excerpt, formatQuotation, isWebPage } from "../words.ts";

export default diagnosis({
  id: "token-url-is-a-page",
  docs: `tokenUrl is an address for browsers: it answers with a web page. Compare tokenUrl with the provider's documentation.`,
  source: "RFC 6749, section 3.2",
  examples: [
    {
      phase: "code",
      tokenResponse: {},
      exchange: "200 <!doctype html><title>Sign in</title>",
      says: "Some providers show their sign-in page to a wrong client",
      field: "tokenUrl",
    },
    { phase: "code", tokenResponse: {}, exchange: "200 {}", silent: true },
  ],
  when({ tokenResponse, exchange }) {
    const { status = 0, responseBody = "", url = "" } = exchange ?? {};
    if (tokenResponse === undefined || !isWebPage(responseBody)) return undefined;
    return {
      reason: `tokenUrl is an address for browsers: ${new URL(url).host} answered with a web page (status ${status}).${formatQuotation(excerpt({ text: responseBody, status }))}`,
      advice: `Compare tokenUrl with the provider's documentation.${/\b(?:sign|log)[ -]?in\b/i.test(responseBody) ? " Some providers show their sign-in page to a wrong client: compare the client ID and secret too." : ""}`,
      field: "tokenUrl",
    };
  },
});
