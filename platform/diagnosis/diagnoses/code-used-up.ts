import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "code-used-up",
  docs: `The provider refused the client ID and secret in one place, and the code was used up by that. Either they are wrong, or the provider accepts them in another place alone. Sign in again: the next sign-in begins with that place. Set credentialsLocation then, because the platform's first attempt uses up the code too.`,
  source: "RFC 6749, sections 2.3.1 and 4.1.2",
  examples: [
    {
      phase: "code",
      signIn: {
        usedUpBy: { refusedMethod: "form body", refusal: "invalid_client", lastMethod: "HTTP Basic", location: "AuthorizationHeader" },
      },
      says: "it accepts them as HTTP Basic alone",
    },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  when({ signIn }) {
    const usedUp = signIn?.usedUpBy;
    if (usedUp === undefined) return undefined;
    const { refusedMethod, refusal, lastMethod, location } = usedUp;
    return {
      reason: `the client ID or secret is wrong, or it accepts them as ${lastMethod} alone: it said ${refusal} to ${refusedMethod}, and the code was used up`,
      advice: `If they are right, sign in again: the next sign-in begins with ${lastMethod}.${location === undefined ? "" : ` Set credentialsLocation to ${location} then: the platform's first attempt uses up the code too.`}`,
      blamesClient: true,
    };
  },
});
