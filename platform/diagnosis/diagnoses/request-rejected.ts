import { quote } from "../../../base/quote.ts";
import { bodyText } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "request-rejected",
  docs: `The API rejects the request itself, not the credential. Read its answer, and compare the request with the API's documentation: path, parameters, body, and headers such as a version.`,
  source: "RFC 9110, sections 15.5.1 and 15.5.21",
  isGeneral: true,
  examples: [
    {
      exchange: http`
      POST https://api.acme.example/items
      authorization: Bearer ••••

      422

      {"message":"name is too long"}`,
      says: "the API rejects the request: “name is too long”",
    },
    { exchange: "401", silent: true },
  ],
  when(failure) {
    const { phase, exchange } = failure;
    const { status = 0 } = exchange ?? {};
    if (phase !== "resource" || status < 400 || status >= 500 || [401, 403, 404, 410, 429].includes(status)) return undefined;
    const text = bodyText(failure);
    return {
      reason: text === undefined ? `the API rejects the request with status ${status}` : `the API rejects the request: ${quote(text)}`,
      advice: "Compare the request with the API's documentation: path, parameters, body, and headers such as a version.",
    };
  },
});
