import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "code-refused",
  docs: `The provider does not accept the code of the sign-in. It has expired, was used before, or was made for another redirect address or application. Sign in again. If this happens again, compare the registered redirect address with the one of the sign-in.`,
  source: "RFC 6749, section 5.2, invalid_grant",
  examples: [
    {
      phase: "code",
      signIn: { redirectUri: "http://localhost:3000/oauth" },
      exchange: '400 {"error":"invalid_grant"}',
      says: "compare the registered redirect address with http://localhost:3000/oauth",
    },
    { phase: "refresh", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  when(failure) {
    if (failure.phase === "refresh" || codeOf(failure) !== "invalid_grant") return undefined;
    return {
      reason: "the code is expired, was used before, or was made for another redirect address or application",
      advice: `Sign in again. If this happens again, compare the registered redirect address with ${failure.signIn?.redirectUri ?? "the one that was shown"}.`,
    };
  },
});
