import { durationInWords } from "../../../base/duration.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { statusOf } from "../facts.ts";

export default diagnosis({
  id: "too-many-requests",
  docs: `The server received too many requests. Wait as long as it says, then try again. The platform retries a 429 until the execution's minute is over.`,
  source: "RFC 6585, section 4; RFC 9110, section 10.2.3",
  isGeneral: true,
  examples: [
    {
      exchange: http`
      GET https://api.acme.example/me
      authorization: Bearer abc

      429
      retry-after: 86400`,
      says: "Wait 24 hours, then try again",
    },
    { phase: "code", exchange: "429", says: "the server received too many requests" },
    {
      exchange: http`
      GET https://api.acme.example/me
      authorization: Bearer abc

      503`,
      silent: true,
    },
  ],
  when(failure) {
    if (statusOf(failure) !== 429) return undefined;
    const wait = retryAfter(failure.exchange?.responseHeaders?.["retry-after"]);
    return {
      reason: "the server received too many requests",
      advice: wait === undefined ? "Wait a little, then try again." : `Wait ${wait}, then try again.`,
      isVague: true,
    };
  },
});

/** Returns the delay in words. A date is not read: clocks differ. */
const retryAfter = (value: string | undefined): string | undefined =>
  value !== undefined && /^\d{1,7}$/.test(value.trim()) && Number(value) > 0 ? durationInWords(Number(value)) : undefined;
