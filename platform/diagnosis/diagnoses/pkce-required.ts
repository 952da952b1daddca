import { diagnosis } from "../diagnosis.ts";
import { codeOf, descriptionOf } from "../facts.ts";
import { isOfPkce, listsPkce } from "../oauth-facts.ts";

export default diagnosis({
  id: "pkce-required",
  docs: `The provider demands PKCE (RFC 7636), and useProofKeyForCodeExchange is not set. Set it to true.`,
  source: "RFC 7636, section 4.4.1; RFC 8414, section 2, code_challenge_methods_supported",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2" },
      exchange: "error=invalid_request&error_description=code_challenge is required",
      says: "it demands PKCE",
      field: "useProofKeyForCodeExchange",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2" },
      signIn: { metadata: { scopes: [], challengeMethods: ["S256"] } },
      exchange: "error=invalid_request",
      says: "its metadata lists PKCE",
      field: "useProofKeyForCodeExchange",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2", useProofKeyForCodeExchange: true },
      exchange: "error=invalid_request&error_description=code_challenge is unknown",
      silent: true,
    },
  ],
  when(failure) {
    if (failure.auth.useProofKeyForCodeExchange === true) return undefined;
    const field = "useProofKeyForCodeExchange";
    const advice = "Set useProofKeyForCodeExchange: true, and sign in again.";
    if (isOfPkce(failure)) return { reason: "it demands PKCE (RFC 7636), and useProofKeyForCodeExchange is not set", advice, field };
    // If the error is only a code, PKCE is the likeliest missing parameter. If it has a description, that may mean another parameter.
    const isBare = ["", failure.providerError?.code].includes(descriptionOf(failure));
    if (failure.phase !== "authorization" || codeOf(failure) !== "invalid_request" || !isBare || !listsPkce(failure)) return undefined;
    return {
      reason: "a parameter is missing: its metadata lists PKCE (RFC 7636), and useProofKeyForCodeExchange is not set",
      advice,
      field,
    };
  },
});
