import { providerDemand } from "../../../spec/providers.ts";
import { fieldValue, isAbsent, propertyOf } from "../configuration/config.ts";
import { setting } from "../configuration/observation.ts";
import { hostOf, staticText } from "../domains/url-value.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "oauth2-provider-demand",
  severity: "warning",
  source: "providers/*.yaml",
  docs: `The provider's documentation demands another \`scopeDelimiter\`, or \`useProofKeyForCodeExchange\`.

The provider refuses the sign-in otherwise. Only providers whose documentation says so are known.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://www.strava.com/oauth/authorize",
          tokenUrl: "https://www.strava.com/oauth/token",
          scopes: ["read", "activity:read_all"],
          scopeDelimiter: «" "»,
        });
      `,
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://www.strava.com/oauth/authorize",
          tokenUrl: "https://www.strava.com/oauth/token",
          scopes: ["read", "activity:read_all"],
          scopeDelimiter: ",",
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: «"https://twitter.com/i/oauth2/authorize"»,
          tokenUrl: "https://api.twitter.com/2/oauth2/token",
          scopes: ["users.read", "tweet.read", "offline.access"],
        });
      `,
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://twitter.com/i/oauth2/authorize",
          tokenUrl: "https://api.twitter.com/2/oauth2/token",
          scopes: ["users.read", "tweet.read", "offline.access"],
          useProofKeyForCodeExchange: true,
        });
      `,
    },
    {
      good: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://www.strava.com/oauth/authorize",
          tokenUrl: "https://www.strava.com/oauth/token",
          scopes: ["read"],
        });
      `,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2") return;
      const authorizationUrl = propertyOf(auth.config, "authorizationUrl")?.value;
      const url = staticText(fieldValue(pack, auth, "authorizationUrl")) ?? "";
      const host = hostOf(url);
      const demand = host === undefined ? undefined : providerDemand(host, url);
      if (authorizationUrl === undefined || demand === undefined) return;
      /** Whether the field certainly has another value. */
      const differs = (field: string, isDemanded: (value: unknown) => boolean): boolean => {
        const value = fieldValue(pack, auth, field);
        if (isAbsent(pack, auth, field)) return true;
        return (value?.kind === "string" || value?.kind === "boolean") && !isDemanded(value.value);
      };
      const placeOf = (field: string) => propertyOf(auth.config, field)?.value.place ?? authorizationUrl.place;
      const { title, scopeDelimiter, demandsPkce } = demand;
      const scopes = fieldValue(pack, auth, "scopes");
      const hasSeveral = scopes?.kind === "array" && scopes.items.length > 1;
      if (scopeDelimiter !== undefined && hasSeveral && differs("scopeDelimiter", (value) => value === scopeDelimiter))
        yield {
          place: placeOf("scopeDelimiter"),
          message: `Set scopeDelimiter: ${JSON.stringify(scopeDelimiter)}. ${title} reads the scopes as one otherwise.`,
          fixes: () => setting(pack, auth, "scopeDelimiter", JSON.stringify(scopeDelimiter), JSON.stringify(scopeDelimiter)),
        };
      if (demandsPkce && differs("useProofKeyForCodeExchange", (value) => value === true))
        yield {
          place: placeOf("useProofKeyForCodeExchange"),
          message: `Set useProofKeyForCodeExchange: true. ${title} takes no sign-in without PKCE.`,
          fixes: () => setting(pack, auth, "useProofKeyForCodeExchange", "true", "true"),
        };
    },
  },
});
