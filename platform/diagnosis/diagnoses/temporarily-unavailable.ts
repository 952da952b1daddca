import { TRY_LATER } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "temporarily-unavailable",
  docs: `The provider is too busy, or under maintenance. Try again later, and look at the provider's status page.`,
  source: "RFC 6749, section 4.1.2.1, temporarily_unavailable",
  examples: [
    { phase: "authorization", exchange: "error=temporarily_unavailable", says: "it is too busy, or under maintenance" },
    { phase: "authorization", exchange: "error=server_error", silent: true },
  ],
  fits: (failure) => codeOf(failure) === "temporarily_unavailable",
  cause: { reason: "it is too busy, or under maintenance", advice: TRY_LATER, isVague: true },
});
