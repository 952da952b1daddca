import { diagnosis } from "../diagnosis.ts";
import { refusesClient } from "../oauth-facts.ts";

export default diagnosis({
  id: "registered-client-unknown",
  docs: `The provider no longer knows the client ID that it registered for this pack (RFC 7591). Sign in again: the application is then registered again.`,
  source: "RFC 6749, section 5.2, invalid_client, for a client of RFC 7591",
  examples: [
    {
      phase: "refresh",
      signIn: { client: "registered" },
      exchange: '401 {"error":"invalid_client"}',
      says: "it no longer knows the client ID that it registered",
    },
    { phase: "refresh", exchange: '401 {"error":"invalid_client"}', silent: true },
  ],
  fits: (failure) => refusesClient(failure) && failure.signIn?.client === "registered",
  cause: {
    reason: "it no longer knows the client ID that it registered for this pack",
    advice: "Sign in again. The application is then registered again.",
    blamesClient: true,
  },
});
