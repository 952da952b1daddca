import { isOAuthType } from "../../../spec/auth-types.ts";
import { addEntry, changeType, fieldPlace, unsuitedField } from "../configuration/observation.ts";
import { oauth2, observationRule, user } from "../rule.ts";
import { quoteIn } from "../text/edit.ts";

export default observationRule({
  id: "seen-token-in-query",
  severity: "warning",
  docs: `The API asked for the credential in the query of the URL.

A run showed this. The API refused the request, and named the query parameter that it reads. Use \`tokenQueryParam\` with OAuth2, or the type \`QueryParamToken\` for an API key.`,
  examples: [
    { bad: oauth2`«type»`, evidence: { code: "token-in-query", names: ["access_token"] }, fixed: oauth2`tokenQueryParam: "access_token",` },
    {
      bad: user`«type: coda.AuthenticationType.HeaderBearerToken»,`,
      evidence: { code: "token-in-query", names: ["api_key"] },
      change: ["coda.AuthenticationType.HeaderBearerToken", 'coda.AuthenticationType.QueryParamToken,\n  paramName: "api_key"'],
    },
    {
      bad: user`
        type: coda.AuthenticationType.QueryParamToken,
        «paramName»: "token",`,
      evidence: { code: "token-in-query", names: ["api_key"] },
      change: ['"token"', '"api_key"'],
      good: ['"token"', '"api_key"'],
    },
    {
      bad: user`
        type: coda.AuthenticationType.MultiQueryParamToken,
        «params»: [{ name: "app", description: "App" }],`,
      evidence: { code: "token-in-query", names: ["api_key"] },
      change: ['"App" }', '"App" }, { name: "api_key", description: "api_key" }'],
    },
  ],
  reports: {
    *"token-in-query"(pack, auth, [parameter]) {
      if (parameter === undefined) return;
      const because = "The API refused the request, and asked for";
      const field = isOAuthType(auth.type) ? "tokenQueryParam" : "paramName";
      if (auth.type === "MultiQueryParamToken")
        yield {
          place: fieldPlace(auth, "params"),
          message: `Add ${parameter} to params. ${because} this parameter in the URL's query.`,
          fixes: () => addEntry(pack, auth, "params", parameter),
        };
      else if (isOAuthType(auth.type) || auth.type === "QueryParamToken")
        yield unsuitedField(pack, auth, field, parameter, `Set ${field} to ${parameter}. ${because} the credential in the URL's query.`);
      else
        yield {
          place: fieldPlace(auth, "type"),
          message: `Use QueryParamToken with paramName ${parameter}. ${because} the credential in the URL's query.`,
          fixes: () => changeType(pack, auth, "QueryParamToken", { paramName: quoteIn(pack, auth.config, parameter) }),
        };
    },
  },
});
