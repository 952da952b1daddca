import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "access-denied",
  docs: `The person, or the provider on their behalf, denied the access. Approve the access in the browser, or ask the account's administrator to allow the application.`,
  source: "RFC 6749, section 4.1.2.1",
  examples: [
    { phase: "authorization", exchange: "error=access_denied", says: "Approve the access in the browser" },
    { phase: "client-credentials", exchange: '403 {"error":"access_denied"}', silent: true },
  ],
  fits: (failure) => codeOf(failure) === "access_denied" && failure.phase === "authorization",
  cause: {
    reason: "the access was denied",
    advice: "Approve the access in the browser, or ask the account's administrator to allow the application.",
  },
});
