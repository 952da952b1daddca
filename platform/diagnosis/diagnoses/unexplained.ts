import { quote } from "../../../base/quote.ts";
import { bodyText } from "../api-words.ts";
import { diagnosis } from "../diagnosis.ts";
import { quoteError } from "../words.ts";

export default diagnosis({
  id: "unexplained",
  docs: `No diagnosis fits this failure. Read what the server says, and look it up in its documentation.`,
  source: "–",
  isGeneral: true,
  examples: [{ phase: "code", exchange: '400 {"error":"brand_new_code"}', says: "brand_new_code" }],
  when(failure) {
    // A pack may fail although the API answered with data.
    if (failure.phase === "resource" && (failure.exchange?.status ?? 0) < 400) return undefined;
    const text = bodyText(failure);
    const words =
      failure.providerError === undefined ? text && quote(text) : quoteError(failure.providerError.code, failure.providerError.description);
    if (words === undefined && failure.exchange?.status === undefined) return undefined;
    return {
      reason: words === undefined ? `the server answered with status ${failure.exchange?.status ?? 0}` : `the server says: ${words}`,
      advice: "See the provider's documentation for this error.",
      isVague: true,
    };
  },
});
