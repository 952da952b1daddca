import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";
import { isOfPkce } from "../oauth-facts.ts";

export default diagnosis({
  id: "pkce-method-refused",
  docs: `The provider does not accept the challenge of pkceChallengeMethod. Set another method: S256 or plain.`,
  source: "RFC 7636, section 4.4.1",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2", useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" },
      exchange: "error=invalid_request&error_description=code_challenge_method must be S256",
      says: "it does not accept the challenge of pkceChallengeMethod plain",
      field: "pkceChallengeMethod",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2" },
      exchange: "error=invalid_request&error_description=code_challenge is required",
      silent: true,
    },
  ],
  when(failure) {
    const { auth, phase, signIn } = failure;
    if (auth.useProofKeyForCodeExchange !== true) return undefined;
    const method = auth.pkceChallengeMethod ?? "S256";
    const field = "pkceChallengeMethod";
    if (isOfPkce(failure))
      return {
        reason: `it does not accept the challenge of pkceChallengeMethod ${method}`,
        advice: `Try another pkceChallengeMethod than ${method}.`,
        field,
      };
    const listed = ["S256", "plain"].filter((each) => signIn?.metadata?.challengeMethods.includes(each));
    if (phase !== "authorization" || codeOf(failure) !== "invalid_request" || listed.length === 0 || listed.includes(method))
      return undefined;
    return {
      reason: `its metadata does not list pkceChallengeMethod ${method}`,
      advice: `Set pkceChallengeMethod to what it lists: ${listed.join(", ")}. Then sign in again.`,
      field,
    };
  },
});
