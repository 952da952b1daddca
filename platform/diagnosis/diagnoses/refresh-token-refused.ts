import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "refresh-token-refused",
  docs: `The provider does not accept the refresh token: it has expired, was revoked, or was used before. Sign in again. If this happens often, look up how long the provider's refresh tokens are valid.`,
  source: "RFC 6749, sections 5.2 and 6, invalid_grant",
  examples: [
    { phase: "refresh", exchange: '400 {"error":"invalid_grant"}', says: "the refresh token is expired, was revoked, or was used before" },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  fits: (failure) => failure.phase === "refresh" && codeOf(failure) === "invalid_grant",
  cause: {
    reason: "the refresh token is expired, was revoked, or was used before",
    advice: "Sign in again. If this happens often, look up how long the provider's refresh tokens are valid.",
  },
});
