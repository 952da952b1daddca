import { bodyText } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { readChallenges, refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "fresh-token-refused",
  docs: `The API refused an access token that was issued a moment ago, so another sign-in gives the same. Read what the API says: it may expect a further header, such as a client ID or a version, which the pack's request can add. Or it expects the token elsewhere: see tokenPrefix and tokenQueryParam.`,
  source: "RFC 9110, section 15.5.2; Twitch and Notion demand a header of their own",
  examples: [
    {
      auth: { type: "OAuth2" },
      account: { isFresh: true },
      exchange: http`
      401
      content-type: application/json

      {"message":"Client ID is missing"}`,
      says: "issued just now",
    },
    { auth: { type: "OAuth2" }, exchange: "401", silent: true },
  ],
  when(failure) {
    if (refusedStatus(failure) !== 401 || failure.account?.isFresh !== true) return undefined;
    // An API that speaks of the token has found it.
    const hasOwnScheme = failure.exchange !== undefined && readChallenges(failure.exchange).own.length > 0;
    const elsewhere =
      hasOwnScheme || /token|authori[sz]ation/i.test(bodyText(failure) ?? "")
        ? ""
        : " Or the token belongs elsewhere: see tokenPrefix and tokenQueryParam. OAuth2 cannot send it in another header.";
    return {
      reason: "the API refused an access token that was issued just now, so another sign-in gives the same",
      advice: `Compare the request with the API's documentation. It may need a further header, which the pack can add, another scope or resource, or the host of the account's data centre.${elsewhere}`,
    };
  },
});
