import { isOAuthType } from "../../../spec/auth-types.ts";
import { propose, type ResolvedAuth } from "../configuration/config.ts";
import { addEntry, changeType, describeObservation, fieldPlace, setField } from "../configuration/observation.ts";
import { pack, rule } from "../rule.ts";
import { quoteIn } from "../text/edit.ts";

export default rule({
  id: "seen-token-in-query",
  severity: "warning",
  source: "a sign-in or a run",
  docs: `The API asked for the credential in the query of the URL.

A run showed this. The API refused the request, and named the query parameter that it reads. Use \`tokenQueryParam\` with OAuth2, or the type \`QueryParamToken\` for an API key.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          «type: coda.AuthenticationType.OAuth2»,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
        });
      `,
      evidence: { code: "token-in-query", names: ["access_token"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          tokenQueryParam: "access_token",
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          «type: coda.AuthenticationType.HeaderBearerToken»,
        });
      `,
      evidence: { code: "token-in-query", names: ["api_key"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.QueryParamToken,
          paramName: "api_key",
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.QueryParamToken,
          «paramName»: "token",
        });
      `,
      evidence: { code: "token-in-query", names: ["api_key"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.QueryParamToken,
          paramName: "api_key",
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.MultiQueryParamToken,
          «params»: [{ name: "app", description: "App" }],
        });
      `,
      evidence: { code: "token-in-query", names: ["api_key"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.MultiQueryParamToken,
          params: [{ name: "app", description: "App" }, { name: "api_key", description: "api_key" }],
        });
      `,
    },
    {
      good: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.QueryParamToken,
          paramName: "api_key",
        });
      `,
    },
  ],
  on: {
    *observation(pack, { fact, auth }) {
      const [parameter] = fact.names;
      if (fact.code !== "token-in-query" || auth === undefined || parameter === undefined) return;
      const field = fieldOfQuery(auth.type);
      const name = quoteIn(pack, auth.config, parameter);
      if (auth.type === "MultiQueryParamToken") {
        yield {
          place: fieldPlace(auth, "params"),
          message: `Add ${parameter} to params. The API refused the request, and asked for this parameter in the URL's query.${describeObservation(fact)}`,
          fixes: () => addEntry(pack, auth, "params", parameter),
        };
        return;
      }
      yield {
        place: fieldPlace(auth, field ?? "type"),
        message: `${field === undefined ? `Use QueryParamToken with paramName ${parameter}.` : `Set ${field} to ${parameter}.`} The API refused the request, and asked for the credential in the URL's query.${describeObservation(fact)}`,
        fixes: () =>
          field === undefined
            ? changeType(pack, auth, "QueryParamToken", { paramName: name })
            : setField(pack, auth, field, name).map((edit) => propose(`Set ${field} to ${parameter}`, edit)),
      };
    },
  },
});

/** Returns the field that names the query parameter, for a type that can send the credential in one. */
function fieldOfQuery(type: ResolvedAuth["type"]): string | undefined {
  if (isOAuthType(type)) return "tokenQueryParam";
  return type === "QueryParamToken" ? "paramName" : undefined;
}
