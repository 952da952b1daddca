import { diagnosis } from "../diagnosis.ts";
import { listedScopes, listOf } from "../facts.ts";
import { isOfScopes, requestedScopes, unlistedScopes } from "../oauth-facts.ts";

export default diagnosis({
  id: "scopes-refused",
  docs: `The provider does not know one of the scopes, or does not allow it for this application. Compare the names in scopes with the provider's documentation, and allow them in its developer settings.`,
  source: "RFC 6749, sections 4.1.2.1 and 5.2, invalid_scope",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2", scopes: ["read", "wrote"] },
      exchange: "error=invalid_scope&error_description=Unknown scope wrote",
      says: "it does not know one of the scopes",
      field: "scopes",
    },
    {
      phase: "client-credentials",
      auth: { type: "OAuth2ClientCredentials" },
      exchange: '400 {"error":"invalid_scope","error_description":"The scope must be given"}',
      says: "it expects scopes",
      field: "scopes",
    },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  when(failure) {
    const { auth } = failure;
    if (!isOfScopes(failure)) return undefined;
    if ((auth.scopes ?? []).length === 0)
      return {
        reason: "it expects scopes, and none were asked for",
        advice: "Add the scopes that the provider's documentation names for this API, and allow them for the application there.",
        field: "scopes",
      };
    const unknown = unlistedScopes(failure);
    const listed = listedScopes(failure) ?? [];
    const list = `${listed.slice(0, MOST_SCOPES).join(", ")}${listed.length > MOST_SCOPES ? ", …" : ""}`;
    return {
      reason:
        unknown.length === 0
          ? "it does not know one of the scopes, or does not allow it for this application"
          : `it does not offer the scopes ${listOf(unknown)}`,
      advice: `${requestedScopes(auth)} Compare the names in scopes${(auth.scopes ?? []).length > 1 ? ", and scopeDelimiter," : ""} with the provider's documentation.${listed.length === 0 ? "" : ` Its metadata lists ${list}.`}`,
      field: "scopes",
    };
  },
});

/** The most scopes of a long list that a message shows. */
const MOST_SCOPES = 20;
