import { COPY_ANEW } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { codeOf, grantName } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";
import { isOfGrant } from "../oauth-facts.ts";

export default diagnosis({
  id: "grant-not-allowed",
  docs: `The application may not use this way to sign in. Allow it for the application in the provider's developer settings. Some providers report a wrong client secret in the same words.`,
  source: "RFC 6749, sections 4.1.2.1 and 5.2, unauthorized_client",
  examples: [
    {
      phase: "client-credentials",
      exchange: '400 {"error":"unauthorized_client","error_description":"The client may not use this grant type"}',
      says: "the application may not use client credentials",
    },
    {
      phase: "code",
      exchange: '400 {"error":"unauthorized_client"}',
      says: "the client ID or secret is wrong, or the application may not use the authorization code grant",
    },
    { phase: "code", exchange: '400 {"error":"unsupported_grant_type"}', silent: true },
  ],
  when(failure) {
    if (codeOf(failure) !== "unauthorized_client") return undefined;
    const grant = grantName(failure.phase);
    const { credentialsLocation } = failure.auth;
    const pinned = credentialsLocation === "Automatic" ? undefined : credentialsLocation;
    // Some providers report a wrong secret this way; an application that may not use the grant is mostly refused at the authorization page.
    if (asksToken(failure) && !isOfGrant(failure))
      return {
        reason: `the client ID or secret is wrong, or the application may not use ${grant}${pinned === undefined ? "" : `, or credentialsLocation ${pinned} is wrong`}`,
        advice: `${COPY_ANEW}. Or allow ${grant} for the application there.${pinned === undefined ? "" : ` Or try another credentialsLocation than ${pinned}.`}`,
        nextStep: { do: "addClient" },
        blamesClient: true,
        ...(pinned === undefined ? {} : { field: "credentialsLocation" }),
      };
    return {
      reason: `the application may not use ${grant}`,
      advice: `Allow ${grant} for the application in the provider's developer settings.`,
    };
  },
});
