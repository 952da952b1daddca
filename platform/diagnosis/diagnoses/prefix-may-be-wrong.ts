import { diagnosis, http } from "../diagnosis.ts";
import { changeOfPrefix, readChallenges, refusedStatus, sentWith } from "../facts.ts";

export default diagnosis({
  id: "prefix-may-be-wrong",
  docs: `The API refused the credential and names no scheme, and the credential was not sent as a Bearer token. If the API's documentation has Bearer, set tokenPrefix to it. Otherwise sign in again with a valid credential.`,
  source: "RFC 9110, section 11.6.1; RFC 6750, section 2.1",
  examples: [
    {
      auth: { type: "CustomHeaderToken", headerName: "Authorization" },
      exchange: http`
      GET https://api.acme.example/me
      authorization: ••••

      401`,
      says: 'If its documentation has Bearer: Set tokenPrefix: "Bearer"',
      field: "tokenPrefix",
    },
    { auth: { type: "OAuth2" }, exchange: "401", silent: true },
  ],
  when(failure) {
    const { exchange, auth, account } = failure;
    const status = refusedStatus(failure);
    if (exchange === undefined || (status !== 401 && status !== 403) || account?.wasAccepted) return undefined;
    const { usedScheme, challenges } = readChallenges(exchange);
    // A 403 mostly means that the API recognized the credential, and forbids the request.
    if (usedScheme === undefined || usedScheme === "Bearer" || challenges.length > 0 || (status === 403 && usedScheme !== ""))
      return undefined;
    const { field, change } = changeOfPrefix("Bearer", auth);
    if (field === "type" || field === "params") return undefined;
    if (status === 403)
      return {
        reason: `the credential was sent ${sentWith(usedScheme)}, and the API forbids the request`,
        advice: `Use an account or a token that has the right for this request. If the API's documentation has Bearer: ${change}`,
      };
    return {
      reason: `${field} may not fit: the credential was sent ${sentWith(usedScheme)}, and the API names no scheme`,
      advice: `If its documentation has Bearer: ${change} Otherwise sign in again with a valid credential.`,
      field,
    };
  },
});
