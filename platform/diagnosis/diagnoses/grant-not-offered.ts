import { diagnosis } from "../diagnosis.ts";
import { codeOf, grantName } from "../facts.ts";

export default diagnosis({
  id: "grant-not-offered",
  docs: `The token endpoint does not offer this grant. tokenUrl may be the address of another product or version, or the provider needs another authentication type.`,
  source: "RFC 6749, section 5.2, unsupported_grant_type",
  examples: [
    {
      phase: "code",
      exchange: '400 {"error":"unsupported_grant_type"}',
      says: "tokenUrl does not offer the authorization code grant",
      field: "tokenUrl",
    },
    { phase: "authorization", exchange: "error=unsupported_response_type", silent: true },
  ],
  when(failure) {
    if (codeOf(failure) !== "unsupported_grant_type") return undefined;
    return {
      reason: `tokenUrl does not offer ${grantName(failure.phase)}`,
      advice:
        failure.phase === "refresh"
          ? "The sign-in succeeded at this address, so allow refresh tokens for the application in the provider's developer settings. Until then, sign in again when the access token has expired."
          : "Check tokenUrl: it may be the address of another product or version. Otherwise the provider needs another authentication type.",
      field: "tokenUrl",
    };
  },
});
