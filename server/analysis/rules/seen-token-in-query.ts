import { isOAuthType } from "../../../spec/auth-types.ts";
import { propose } from "../configuration/config.ts";
import { changeType, fieldPlace, setField, whenSeen } from "../configuration/seen.ts";
import { pack, rule } from "../rule.ts";
import { quoteIn } from "../text/edit.ts";

export default rule({
  id: "seen-token-in-query",
  severity: "warning",
  source: "a sign-in or a run",
  docs: `The API asked for the credential in the query of the URL.

A run showed this: the API refused the request, and named the query parameter that it reads. OAuth2 has \`tokenQueryParam\` for it, and an API key the type \`QueryParamToken\`.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          «type: coda.AuthenticationType.OAuth2»,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
        });
      `,
      seen: { code: "token-in-query", names: ["access_token"] },
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
      seen: { code: "token-in-query", names: ["api_key"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.QueryParamToken,
          paramName: "api_key",
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
    *seen(pack, { fact, auth }) {
      const [parameter] = fact.names;
      if (fact.code !== "token-in-query" || auth === undefined || parameter === undefined) return;
      const isOAuth = isOAuthType(auth.type);
      const name = quoteIn(pack, auth.config, parameter);
      yield {
        place: fieldPlace(auth, isOAuth ? "tokenQueryParam" : "type"),
        message: `${isOAuth ? `Set tokenQueryParam to ${parameter}.` : `Use QueryParamToken with paramName ${parameter}.`} The API refused the request, and asked for the credential in the URL's query.${whenSeen(fact)}`,
        fixes: () =>
          isOAuth
            ? setField(pack, auth, "tokenQueryParam", name).map((edit) => propose(`Set tokenQueryParam to ${parameter}`, edit))
            : changeType(pack, auth, "QueryParamToken", { paramName: name }),
      };
    },
  },
});
