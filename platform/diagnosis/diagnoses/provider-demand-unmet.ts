import { providerOf, unmetDemands } from "../../../spec/providers.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { codeOf, refusedStatus, statusOf } from "../facts.ts";

export default diagnosis({
  id: "provider-demand-unmet",
  docs: `The provider's documentation demands something that the configuration does not have: PKCE, a parameter, a delimiter, a prefix, or another way than OAuth2. The message quotes the documentation and names the field.`,
  source: "providers/*.yaml",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2", authorizationUrl: "https://airtable.com/oauth2/v1/authorize" },
      exchange: "error=invalid_request",
      says: "Set useProofKeyForCodeExchange: true.",
      field: "useProofKeyForCodeExchange",
    },
    {
      phase: "code",
      auth: { type: "OAuth2", authorizationUrl: "https://www.tiktok.com/v2/auth/authorize/" },
      exchange: http`
      POST https://open.tiktokapis.com/v2/oauth/token/

      400

      {"error":"invalid_request","error_description":"Client key is missing."}`,
      says: "client_key",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2", authorizationUrl: "https://airtable.com/oauth2/v1/authorize", useProofKeyForCodeExchange: true },
      exchange: "error=invalid_request",
      silent: true,
    },
  ],
  when(failure) {
    const { phase, auth } = failure;
    const page = providerOf(auth);
    if (page === undefined || auth.type !== "OAuth2") return undefined;
    const { unsupported } = page.oauth2;
    const isOfSignIn = phase === "authorization" || phase === "code";
    if (isOfSignIn && unsupported !== undefined) return { reason: unsupported.reason.replace(/\.$/, ""), advice: unsupported.instead };
    const isVague = isOfSignIn && (codeOf(failure) === "invalid_request" || statusOf(failure) !== undefined);
    const demand = unmetDemands(page, auth).find(({ field }) => (field === "tokenPrefix" ? refusedStatus(failure) === 401 : isVague));
    if (demand === undefined) return undefined;
    return {
      reason: `${page.title}'s documentation demands ${demand.field}: “${demand.words}”`,
      advice: `${demand.change} Then sign in again.`,
      field: demand.field,
    };
  },
});
