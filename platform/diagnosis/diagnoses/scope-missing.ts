import { quoteName } from "../../../base/quote.ts";
import { isOAuthType } from "../../../spec/auth-types.ts";
import { apiError } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { listOf } from "../facts.ts";

export default diagnosis({
  id: "scope-missing",
  docs: `The token lacks a scope that this request needs. Add the scope to scopes, or to the formula's extraOAuthScopes, and sign in again. On the platform, a 403 or a MissingScopesError asks the user to do so.`,
  source: "RFC 6750, section 3.1, insufficient_scope",
  examples: [
    {
      auth: { type: "OAuth2", scopes: ["read"] },
      exchange: '403\nwww-authenticate: Bearer error="insufficient_scope", scope="admin"',
      says: "It names: admin",
      field: "scopes",
    },
    {
      auth: { type: "HeaderBearerToken" },
      exchange: '403\nwww-authenticate: Bearer error="insufficient_scope"',
      says: "it lacks a scope that this request needs",
    },
    {
      auth: { type: "OAuth2" },
      exchange: http`
      POST https://api.acme.example/rpc
      authorization: Bearer ••••

      200
      content-type: application/json

      {"ok":false,"error":"missing_scope","needed":"users:read"}`,
      says: "It names: users:read",
      field: "scopes",
    },
    { auth: { type: "OAuth2" }, exchange: '401\nwww-authenticate: Bearer error="invalid_token"', silent: true },
  ],
  when(failure) {
    const error = apiError(failure);
    if (error === undefined || !["insufficient_scope", "missing_required_scopes"].includes(error.code)) return undefined;
    const names = error.scope === undefined ? "" : ` It names: ${quoteName(error.scope)}.`;
    if (!isOAuthType(failure.auth.type))
      return {
        reason: `the API refused the credential, because it lacks a scope that this request needs: ${error.words}`,
        advice: `Enter a token or key that has it.${names}`,
      };
    return {
      reason: `scopes lack one that this request needs: ${error.words}`,
      advice: `Add the scope to scopes (now: ${listOf(failure.auth.scopes)}) and sign in again. On the platform, a 403 or MissingScopesError asks the user to do so.${names}`,
      field: "scopes",
    };
  },
});
