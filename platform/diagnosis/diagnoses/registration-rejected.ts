import { BY_HAND } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { statusOf } from "../facts.ts";

export default diagnosis({
  id: "registration-rejected",
  docs: `The provider does not accept what the registration says about the application (RFC 7591). Register the application by hand at the provider, and add its client ID.`,
  source: "RFC 7591, section 3.2.2, invalid_client_metadata",
  examples: [
    {
      phase: "registration",
      exchange: '400 {"error":"invalid_client_metadata"}',
      says: "Register the application by hand",
      field: "useDynamicClientRegistration",
    },
    { phase: "registration", exchange: "429", silent: true },
  ],
  when(failure) {
    const status = statusOf(failure) ?? 400;
    if (failure.phase !== "registration" || failure.providerError === undefined || status === 429 || status >= 500) return undefined;
    return {
      reason: "it does not accept the registration that useDynamicClientRegistration makes",
      advice: BY_HAND.hint,
      nextStep: BY_HAND.nextStep,
      field: "useDynamicClientRegistration",
    };
  },
});
