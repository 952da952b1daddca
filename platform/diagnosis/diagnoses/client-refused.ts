import { CLIENT_AGAIN, COPY_ANEW } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { lookedForIn } from "../oauth-codes.ts";
import { refusesClient } from "../oauth-facts.ts";

export default diagnosis({
  id: "client-refused",
  docs: `The provider does not accept the client ID or the client secret. Copy both again from the provider's developer settings. Some providers accept them in one place only: if credentialsLocation is set, it may be the cause.`,
  source: "RFC 6749, section 5.2, invalid_client",
  examples: [
    { phase: "code", exchange: '401 {"error":"invalid_client"}', says: "the client ID or secret is wrong" },
    {
      phase: "code",
      auth: { type: "OAuth2", credentialsLocation: "Body" },
      exchange: '401 {"error":"invalid_client"}',
      says: "or credentialsLocation Body is",
      field: "credentialsLocation",
    },
    {
      phase: "code",
      auth: { type: "OAuth2", credentialsLocation: "Body" },
      exchange: '400 {"error":"Missing or invalid Authorization header"}',
      says: "Set credentialsLocation to AuthorizationHeader",
      field: "credentialsLocation",
    },
    { phase: "authorization", exchange: "error=invalid_client", says: "it does not know the client ID" },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  when(failure) {
    const { phase, auth, signIn, providerError } = failure;
    if (!refusesClient(failure)) return undefined;
    if (phase === "authorization") return { reason: "it does not know the client ID", ...CLIENT_AGAIN };
    if (signIn?.client === "public") return { reason: "the client ID is wrong, or it needs a client secret", ...CLIENT_AGAIN };
    const { credentialsLocation: location = "Automatic" } = auth;
    const lookedFor = providerError && lookedForIn(providerError);
    if (location !== "Automatic" && lookedFor !== undefined && lookedFor !== location)
      return {
        reason: `credentialsLocation ${location} does not fit: it looks for the client ID and secret in another place`,
        advice: `Set credentialsLocation to ${lookedFor}, or remove it: the platform then tries both.`,
        field: "credentialsLocation",
      };
    if (location === "Automatic")
      return {
        reason: "the client ID or secret is wrong",
        ...CLIENT_AGAIN,
        advice: `${COPY_ANEW}. Leave the secret empty if the application has none.`,
        // The answer to credentials in the other place says more.
        ...(lookedFor === undefined ? {} : { isVague: true }),
      };
    return {
      reason: `the client ID or secret is wrong, or credentialsLocation ${location} is`,
      advice: `${COPY_ANEW}, or try another credentialsLocation than ${location}.`,
      nextStep: { do: "addClient" },
      field: "credentialsLocation",
      blamesClient: true,
    };
  },
});
