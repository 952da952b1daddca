import { COPY_ANEW } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";
import { isOfGrant } from "../oauth-facts.ts";

export default diagnosis({
  id: "client-or-redirect-unknown",
  docs: `The provider shows its error on its own page, without the redirect address. A provider that knew the client ID and the redirect address would send the browser back. Copy the client ID again, or register the redirect address.`,
  source: "RFC 6749, section 4.1.2.1",
  examples: [
    {
      phase: "authorization",
      signIn: { isOnPage: true, redirectUri: "http://localhost:3000/oauth" },
      exchange: "error=unauthorized_client",
      says: "it does not know the client ID, or not with the redirect address http://localhost:3000/oauth",
    },
    { phase: "authorization", exchange: "error=unauthorized_client", silent: true },
  ],
  when(failure) {
    if (codeOf(failure) !== "unauthorized_client" || failure.signIn?.isOnPage !== true || isOfGrant(failure)) return undefined;
    const { redirectUri = "that was sent" } = failure.signIn;
    return {
      reason: `it does not know the client ID, or not with the redirect address ${redirectUri}`,
      advice: `${COPY_ANEW}, or register ${redirectUri} there, exactly like this.`,
      nextStep: { do: "addClient" },
    };
  },
});
