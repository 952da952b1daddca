import { diagnosis } from "../diagnosis.ts";
import { descriptionOf } from "../facts.ts";
import { isOfPkce } from "../oauth-facts.ts";

export default diagnosis({
  id: "pkce-not-accepted",
  docs: `The provider does not accept PKCE (RFC 7636). Remove useProofKeyForCodeExchange.`,
  source: "RFC 7636, section 5",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2", useProofKeyForCodeExchange: true },
      exchange: "error=invalid_request&error_description=code_challenge is not supported",
      says: "it does not accept PKCE",
      field: "useProofKeyForCodeExchange",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2", useProofKeyForCodeExchange: true },
      exchange: "error=invalid_request&error_description=code_challenge_method plain is not supported",
      silent: true,
    },
  ],
  when(failure) {
    const description = descriptionOf(failure);
    if (!isOfPkce(failure) || failure.auth.useProofKeyForCodeExchange !== true || /method|S256|plain/i.test(description)) return undefined;
    if (!/not (?:support|allowed|accepted|permitted|expected)|unsupported|unexpected|unknown|remove/i.test(description)) return undefined;
    return {
      reason: "it does not accept PKCE (RFC 7636), which useProofKeyForCodeExchange adds",
      advice: "Remove useProofKeyForCodeExchange, and sign in again.",
      field: "useProofKeyForCodeExchange",
    };
  },
});
