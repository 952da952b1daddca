import { AFTER_401, THROW_401 } from "../advice.ts";
import { saysExpired } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "expired-without-401",
  docs: `The API says that the token is not valid any more, and does not answer 401. The platform renews a token only after a formula fails with a 401 StatusCodeError. Refresh the account and run again. In the pack, throw a StatusCodeError with status 401 after such an answer.`,
  source: "sdk-facts 5; Marketo, HaloPSA and Salesforce Bulk answer so",
  examples: [
    {
      auth: { type: "OAuth2" },
      account: { isRenewable: true },
      exchange: http`
      400
      content-type: application/json

      {"error":"Access token expired"}`,
      says: "Throw a StatusCodeError with status 401",
    },
    { auth: { type: "OAuth2" }, account: { isRenewable: true }, exchange: "404", silent: true },
  ],
  when({ exchange, account }) {
    if (exchange === undefined || account?.isRenewable !== true || !saysExpired(exchange)) return undefined;
    return {
      reason: "the API says that its token is not valid any more",
      advice: `Refresh the account and run again. ${THROW_401} ${AFTER_401}`,
      nextStep: { do: "refreshAccount" },
    };
  },
});
