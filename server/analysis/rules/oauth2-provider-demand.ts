import type { FieldName } from "../../../spec/configuration-fields.ts";
import { unmetDemands } from "../../../spec/providers.ts";
import { mayCarry } from "../configuration/authorization-request.ts";
import { fieldValue, isAbsent, propertyOf } from "../configuration/config.ts";
import { setting } from "../configuration/observation.ts";
import { addParams, providerAt } from "../configuration/provider.ts";
import { rule, user } from "../rule.ts";

export default rule({
  id: "oauth2-provider-demand",
  severity: "warning",
  source: "providers/*.yaml",
  docs: `The provider's documentation demands something else.

It may be \`scopeDelimiter\`, \`useProofKeyForCodeExchange\`, \`tokenPrefix\`, a parameter in \`additionalParams\`, or another way than OAuth2. The provider refuses the sign-in or its token otherwise. The message quotes the documentation.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://www.strava.com/oauth/authorize",
        tokenUrl: "https://www.strava.com/oauth/token",
        scopes: ["read", "activity:read_all"],
        scopeDelimiter: «" "»,`,
      change: ['" "', '","'],
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «"https://twitter.com/i/oauth2/authorize"»,
        tokenUrl: "https://api.twitter.com/2/oauth2/token",
        scopes: ["users.read", "tweet.read", "offline.access"],`,
      change: ["}", "  useProofKeyForCodeExchange: true,\n}"],
    },
    {
      good: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://www.strava.com/oauth/authorize",
        tokenUrl: "https://www.strava.com/oauth/token",
        scopes: ["read"],`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2") return;
      const authorizationUrl = propertyOf(auth.config, "authorizationUrl")?.value;
      const page = authorizationUrl && providerAt(pack, auth);
      if (authorizationUrl === undefined || page === undefined) return;
      const { title, oauth2 } = page;
      if (oauth2.unsupported !== undefined)
        yield {
          place: authorizationUrl.place,
          message: `Choose another way than OAuth2: the platform cannot sign in at ${title}. ${oauth2.unsupported.reason} ${oauth2.unsupported.instead}`,
        };
      const scopes = fieldValue(pack, auth, "scopes");
      const staticValue = (field: FieldName): unknown => {
        const value = fieldValue(pack, auth, field);
        return value?.kind === "string" || value?.kind === "boolean" ? value.value : undefined;
      };
      const params = Object.keys(oauth2.additionalParams ?? {}).filter((name) => mayCarry(pack, auth, name));
      const unmet = unmetDemands(page, {
        ...Object.fromEntries(STATIC_FIELDS.map((field) => [field, staticValue(field)])),
        additionalParams: Object.fromEntries(params.map((name) => [name, true])),
        scopes: scopes?.kind === "array" ? scopes.items : [],
      });
      for (const { field, value, words, change } of unmet) {
        const property = propertyOf(auth.config, field)?.value;
        // A value that is computed may be right.
        if (field !== "additionalParams" && !isAbsent(pack, auth, field) && staticValue(field) === undefined) continue;
        yield {
          place: (field === "additionalParams" ? undefined : property?.place) ?? authorizationUrl.place,
          message: `${change} ${title}'s documentation says: “${words}”`,
          fixes: () =>
            typeof value === "object"
              ? addParams(
                  pack,
                  auth,
                  Object.entries(value).map(([name, text]) => ({ name, value: text })),
                )
              : setting(pack, auth, field, JSON.stringify(value), JSON.stringify(value)),
        };
      }
    },
  },
});

const STATIC_FIELDS = ["scopeDelimiter", "tokenPrefix", "useProofKeyForCodeExchange"] as const;
