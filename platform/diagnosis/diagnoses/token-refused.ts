import { isOAuthType } from "../../../spec/auth-types.ts";
import { apiError } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { schemeOf, tokenScheme } from "../facts.ts";

export default diagnosis({
  id: "token-refused",
  docs: `The API says that the token is not valid: it has expired, was revoked, or belongs to another API. Sign in again. If a fresh token is refused too, check that scopes and resource belong to this API.`,
  source: "RFC 6750, section 3.1, invalid_token",
  examples: [
    {
      auth: { type: "OAuth2" },
      exchange: '401\nwww-authenticate: Bearer error="invalid_token"',
      says: "the access token is expired or revoked",
      field: "scopes",
    },
    {
      auth: { type: "OAuth2" },
      account: { isFresh: true },
      exchange: '401\nwww-authenticate: Bearer error="invalid_token"',
      says: "the access token was issued just now",
    },
    {
      auth: { type: "HeaderBearerToken" },
      exchange: '401\nwww-authenticate: Bearer error="invalid_token"',
      says: "it is expired, was revoked, or is mistyped",
    },
    {
      auth: { type: "OAuth2" },
      exchange: http`
      GET https://graph.acme.example/me
      authorization: Bearer ••••

      400
      www-authenticate: OAuth "Acme Platform" "invalid_token" "The access token has expired."`,
      says: "the access token has expired",
    },
    { auth: { type: "OAuth2" }, exchange: "401\nwww-authenticate: Token", silent: true },
  ],
  when(failure) {
    const error = apiError(failure);
    const { auth, account } = failure;
    if (error === undefined || !["invalid_token", "expired_token", "token_expired"].includes(error.code)) return undefined;
    // An API that does not find a new token under its prefix may say that it is invalid.
    const prefix = failure.exchange && schemeOf(failure.exchange);
    if (error.isFromBody && account?.isFresh && prefix !== undefined && prefix !== tokenScheme(failure)) return undefined;
    const isExpired = /expired|no longer/i.test(`${error.code} ${error.words}`);
    if (!isOAuthType(auth.type))
      return {
        reason: `the API refused the credential, because ${isExpired ? "it has expired" : account?.wasAccepted ? "it is not valid for this request" : "it is expired, was revoked, or is mistyped"}: ${error.words}`,
        advice:
          account?.wasAccepted && !isExpired
            ? "The API accepted the same credential before. Compare this request with the API's documentation."
            : "Sign in again with a new one.",
      };
    const field = auth.resource === undefined ? "scopes" : "resource";
    const belongs = field === "scopes" ? "its scopes are not those of this API" : "its resource is not this API";
    if (account?.isFresh || account?.wasAccepted)
      return {
        reason: `${account.isFresh ? "the access token was issued just now" : "the API accepted the access token before"}, so ${isExpired ? "its lifetime is too short, or " : ""}${belongs}, or this request needs more: ${error.words}`,
        advice: `Check that ${field === "scopes" ? "scopes" : "scopes and resource"} belong to this API, and that the URL has the host of the account: its data centre, demo or production. Look up whether the API needs a further header. Signing in again gives the same.`,
        ...(/audience|\bscope|resource/i.test(error.words) ? { field } : {}),
      };
    return {
      reason: isExpired
        ? `the access token has expired, says the API: ${error.words}`
        : `the access token is expired or revoked, or ${belongs}: ${error.words}`,
      advice: `Sign in again. If a fresh token is refused too, check that ${field === "scopes" ? "scopes" : "scopes and resource"} belong to this API.`,
      ...(isExpired ? {} : { field }),
    };
  },
});
