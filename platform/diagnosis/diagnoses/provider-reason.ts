import { providerReason } from "../../../spec/provider-errors.ts";
import { diagnosis } from "../diagnosis.ts";
import { descriptionOf } from "../facts.ts";

export default diagnosis({
  id: "provider-reason",
  docs: `The provider's own code or words have one meaning, which was read in its documentation. It may be an application in testing, a limit of users, a tenant or a missing consent. The message says what it is and where to change it.`,
  source: "providers/errors.yaml",
  examples: [
    {
      phase: "authorization",
      auth: { authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth" },
      exchange: "error=access_denied&error_description=Error 403: access_denied",
      says: "the app is in testing and the account is not one of its test users",
    },
    {
      phase: "code",
      exchange: `400 {"error":"invalid_request","error_description":"AADSTS9002327: Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests."}`,
      says: "the redirect address is registered for a single-page application",
    },
    {
      phase: "authorization",
      exchange: "error=access_denied&error_description=AADSTS50020: User account does not exist in tenant.",
      says: "the account does not exist in the tenant that the app signs in to (see authorizationUrl)",
      field: "authorizationUrl",
    },
    {
      phase: "authorization",
      auth: { authorizationUrl: "https://login.acme.example/authorize" },
      exchange: "error=access_denied&error_description=Error 403: access_denied",
      silent: true,
    },
    { phase: "code", exchange: '400 {"error":"invalid_request","error_description":"grant_type is missing"}', silent: true },
  ],
  when(failure) {
    const { phase, auth, providerError } = failure;
    if (phase === "resource") return undefined;
    const meaning = providerReason(`${providerError?.code ?? ""} ${descriptionOf(failure)}`, phase, auth);
    if (meaning?.field === undefined || meaning.reason.includes(meaning.field)) return meaning;
    return { ...meaning, reason: `${meaning.reason} (see ${meaning.field})` };
  },
});
