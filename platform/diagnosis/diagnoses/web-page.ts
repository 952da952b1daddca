import { diagnosis, http } from "../diagnosis.ts";
import { isWebPage } from "../words.ts";

export default diagnosis({
  id: "web-page",
  docs: `The answer is a web page, not data. Check the URL. If it is a page to sign in, the API did not accept the credential: sign in again. A proxy or the network may also have answered in the API's place.`,
  source: "RFC 9110, section 8.3",
  isGeneral: true,
  examples: [
    {
      exchange: http`
      GET https://www.acme.example/me
      authorization: Bearer ••••

      200
      content-type: text/html

      <!doctype html><title>Sign in</title>`,
      says: "the answer is a web page, not data",
    },
    {
      exchange: http`
      GET https://www.acme.example/me

      200
      content-type: text/html

      <!doctype html><title>News</title>`,
      silent: true,
    },
  ],
  when({ phase, exchange }) {
    if (phase !== "resource" || exchange?.status === undefined || exchange.status === 401 || exchange.status === 403) return undefined;
    if (!isWebPage((exchange.responseBody ?? "").trim())) return undefined;
    const isRedirected = exchange.redirectedFrom !== undefined;
    // A pack that requests web pages does so without an account.
    if (exchange.credentials.length === 0 && !isRedirected) return undefined;
    return {
      reason: isRedirected ? "a redirect led to a web page, not to data" : "the answer is a web page, not data",
      advice:
        "Check the URL. If it is a page to sign in, the API did not accept the credential: sign in again. A proxy or the network may also have answered in the API's place.",
    };
  },
});
