import { oauth2ProvidersOfHost } from "../../../spec/providers.ts";
import { fieldValue, propertyOf } from "../configuration/config.ts";
import { hostOf } from "../domains/url-value.ts";
import { rule, user } from "../rule.ts";

export default rule({
  id: "oauth2-same-urls",
  severity: "warning",
  source: "RFC 6749, section 3",
  docs: `\`authorizationUrl\` and \`tokenUrl\` are the same.

Copy both from the provider's documentation. The authorization URL is a page on which users sign in, and the token URL exchanges the code for a token. Nearly every provider has two addresses for that. With one of them in both places, either the page or the exchange fails.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/oauth/authorize",
        tokenUrl: «"https://login.acme.example/oauth/authorize"»,`,
      good: ['authorize",\n}', 'token",\n}'],
    },
    {
      good: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://acme.egnyte.com/puboauth/token",
        tokenUrl: "https://acme.egnyte.com/puboauth/token",`,
    },
  ],
  on: {
    *auth(pack, auth) {
      const property = propertyOf(auth.config, "tokenUrl");
      const [authorization, token] = [fieldValue(pack, auth, "authorizationUrl"), fieldValue(pack, auth, "tokenUrl")];
      if (auth.type !== "OAuth2" || property === undefined || authorization?.kind !== "string" || token?.kind !== "string") return;
      // Other rules report incomplete or invalid URLs.
      if (authorization.value !== token.value || !/^(?:https?:\/\/[^/?#]+)?\/[^/]/.test(token.value)) return;
      const domain = fieldValue(pack, auth, "endpointDomain");
      const endpointDomain = domain?.kind === "string" ? domain.value.toLowerCase() : "";
      if (oauth2ProvidersOfHost(hostOf(token.value) ?? endpointDomain).some(({ oauth2 }) => oauth2.authorizationUrl === oauth2.tokenUrl))
        return;
      yield {
        place: property.value.place,
        message:
          "Write the provider's token URL here. This is authorizationUrl again, the page on which users sign in, and it exchanges no code for a token.",
      };
    },
  },
});
