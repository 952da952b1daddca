import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "token-kind-not-revoked",
  docs: `The provider does not revoke tokens of this kind (RFC 7009). Revoke the application in the account's settings at the provider. The token stays valid until it expires.`,
  source: "RFC 7009, section 2.2.1, unsupported_token_type",
  examples: [
    { phase: "revocation", exchange: '400 {"error":"unsupported_token_type"}', says: "it does not revoke tokens of this kind" },
    { phase: "code", exchange: '400 {"error":"unsupported_token_type"}', silent: true },
  ],
  fits: (failure) => codeOf(failure) === "unsupported_token_type",
  cause: {
    reason: "it does not revoke tokens of this kind",
    advice: "Revoke the application in the account's settings at the provider. The token stays valid until it expires.",
  },
});
