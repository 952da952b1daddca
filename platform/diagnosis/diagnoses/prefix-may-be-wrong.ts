import { bodyText, prefixInWords } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { changeOfPrefix, readChallenges, refusedStatus, sentWith, tokenScheme } from "../facts.ts";

export default diagnosis({
  id: "prefix-may-be-wrong",
  docs: `The API refused the credential and names no scheme, and the credential was sent with another prefix than Bearer or the token's type. If the API's documentation has Bearer, or the token response names another token_type, set tokenPrefix to it. Otherwise sign in again with a valid credential.`,
  source: "RFC 9110, section 11.6.1; RFC 6750, section 2.1",
  examples: [
    {
      auth: { type: "CustomHeaderToken", headerName: "Authorization" },
      exchange: http`
      GET https://api.acme.example/me
      authorization: ••••

      401`,
      says: 'If the API\'s documentation has Bearer: Set tokenPrefix: "Bearer"',
      field: "tokenPrefix",
    },
    {
      auth: { type: "OAuth2" },
      account: { isFresh: true, tokenType: "JWT" },
      exchange: http`
      GET https://api.acme.example/me
      authorization: Bearer ••••

      401
      content-type: application/json

      {"detail":"Authentication credentials were not provided."}`,
      says: 'The token response says token_type JWT: Set tokenPrefix: "JWT"',
      field: "tokenPrefix",
    },
    { auth: { type: "OAuth2" }, exchange: "401", silent: true },
  ],
  when(failure) {
    const { exchange, auth, account } = failure;
    const status = refusedStatus(failure);
    const again = account?.isFresh
      ? " The token is new, so signing in again gives the same."
      : " Otherwise sign in again with a valid credential.";
    if (exchange === undefined || (status !== 401 && status !== 403) || account?.wasAccepted) return undefined;
    const { usedScheme, challenges } = readChallenges(exchange);
    const scheme = tokenScheme(failure);
    if (usedScheme && usedScheme === scheme && challenges.length === 0 && prefixInWords(failure) === "") {
      const { field } = changeOfPrefix("", auth);
      return {
        reason: `${field} does not fit: the credential was sent ${sentWith(usedScheme)}, and the API wants another`,
        advice: `Look for the prefix in the API's documentation.${again}`,
        field,
      };
    }
    // A 403 mostly means that the API recognized the credential, and forbids the request.
    const isRecognized = status === 403 && usedScheme !== "" && !/not provided|missing/i.test(bodyText(failure) ?? "");
    if (usedScheme === undefined || usedScheme === scheme || challenges.length > 0 || isRecognized) return undefined;
    const { field, change } = changeOfPrefix(scheme, auth);
    if (field === "type" || field === "params") return undefined;
    const hint = scheme === "Bearer" ? "If the API's documentation has Bearer" : `The token response says token_type ${scheme}`;
    if (status === 403 && usedScheme === "")
      return {
        reason: `the credential was sent ${sentWith(usedScheme)}, and the API forbids the request`,
        advice: `Use an account or a token that has the right for this request. ${hint}: ${change}`,
      };
    return {
      reason: `${field} may not fit: the credential was sent ${sentWith(usedScheme)}, and the API names no scheme`,
      advice: `${hint}: ${change}${again}`,
      field,
    };
  },
});
