import { AFTER_401, THROW_401 } from "../advice.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { listOf, refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "forbidden",
  docs: `The credential was recognized, and lacks a right for this request. Use an account or a token that has the right. Some APIs also answer 403 to a credential that is wrong or sent in another place. Some do so to a token that has expired.`,
  source: "RFC 9110, section 15.5.4",
  isGeneral: true,
  examples: [
    { auth: { type: "HeaderBearerToken" }, exchange: "403", says: "Use an account or a token that has the right for this request" },
    { auth: { type: "OAuth2" }, account: { isRenewable: true }, exchange: "403", says: "To tell an expired token from a missing right" },
    {
      auth: { type: "OAuth2" },
      run: { account: { id: "a", grantedScopes: ["read"] } },
      exchange: http`
      DELETE https://api.acme.example/me
      authorization: Bearer ••••

      403`,
      says: "granted these scopes: read. Compare the account's rights with what its documentation demands for DELETE /me",
    },
    { auth: { type: "HeaderBearerToken" }, exchange: "401", silent: true },
  ],
  when(failure) {
    const { exchange, account, run, auth } = failure;
    if (exchange === undefined || refusedStatus(failure) !== 403) return undefined;
    const isEmpty = (exchange.responseBody ?? "").trim() === "";
    const read = isEmpty ? "" : "Read the API's answer, which may say why it forbids this request. ";
    const granted = run?.account?.grantedScopes.length
      ? ` The account was granted these scopes: ${listOf(run.account.grantedScopes)}.`
      : auth.scopes?.length
        ? ` The sign-in asked for these scopes: ${listOf(auth.scopes)}.`
        : "";
    const path = URL.canParse(exchange.url) ? new URL(exchange.url).pathname : exchange.url;
    const compare = ` The API's answer is empty.${granted} Compare the account's rights with what its documentation demands for ${exchange.method} ${path}.`;
    const also =
      account?.wasAccepted || account?.isFresh
        ? " Or the request lacks a header that the API needs, such as a tenant or a version."
        : " Some APIs also answer so to a credential that is wrong, or that they look for in another place.";
    const mayBeExpired = account?.isRenewable === true && !account.wasRenewedEarly && !account.isFresh && !account.wasAccepted;
    return {
      reason: "the API forbids this request",
      advice: `${read}Use an account or a token that has the right for this request.${also}${isEmpty ? compare : ""}${mayBeExpired ? ` To tell an expired token from a missing right, refresh the account and run again. If that helps: ${THROW_401} ${AFTER_401}` : ""}`,
      nextStep: mayBeExpired ? { do: "refreshAccount" } : undefined,
    };
  },
});
