import { diagnosis } from "../diagnosis.ts";
import { descriptionOf } from "../facts.ts";

export default diagnosis({
  id: "pushed-authorization-required",
  docs: `The provider demands a pushed authorization request (RFC 9126), which the platform does not send. Let the provider accept this application's sign-ins without one.`,
  source: "RFC 9126, section 5",
  examples: [
    {
      phase: "authorization",
      exchange: "error=invalid_request&error_description=Pushed Authorization Request is required",
      says: "it demands a pushed authorization request",
    },
    { phase: "code", exchange: '400 {"error":"invalid_request"}', silent: true },
  ],
  fits: (failure) => failure.phase === "authorization" && /pushed[ _-]authorization/i.test(descriptionOf(failure)),
  cause: {
    reason: "it demands a pushed authorization request (RFC 9126), which the platform does not send",
    advice: "Let the provider accept this application's sign-ins without pushed authorization requests.",
  },
});
