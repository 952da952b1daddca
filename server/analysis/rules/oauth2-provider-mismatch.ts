import { areOfOneHouse, oauth2ProvidersOfHost } from "../../../spec/providers.ts";
import { fieldValue, propertyOf } from "../configuration/config.ts";
import { hostOf, staticText } from "../domains/url-value.ts";
import { rule, user } from "../rule.ts";

export default rule({
  id: "oauth2-provider-mismatch",
  severity: "information",
  source: "providers/*.yaml",
  docs: `\`authorizationUrl\` and \`tokenUrl\` belong to two different providers.

A code of one provider cannot be exchanged at another, so one URL was probably copied from elsewhere. Only known providers are compared. Two different domains alone prove nothing, since many providers use several.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://github.com/login/oauth/authorize",
        tokenUrl: «"https://gitlab.com/oauth/token"»,`,
    },
    {
      good: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
        tokenUrl: "https://oauth2.googleapis.com/token",
        additionalParams: { access_type: "offline", prompt: "consent" },`,
    },
    {
      good: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://github.com/login/oauth/authorize",
        tokenUrl: "https://tokens.acme.example/github",`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2") return;
      const property = propertyOf(auth.config, "tokenUrl");
      const hosts = ["authorizationUrl", "tokenUrl"].map((name) => hostOf(staticText(fieldValue(pack, auth, name)) ?? ""));
      const [signIn, token] = hosts.map((host) => (host === undefined ? [] : oauth2ProvidersOfHost(host)));
      const [one] = signIn ?? [];
      const [other] = token ?? [];
      if (
        property === undefined ||
        one === undefined ||
        other === undefined ||
        token?.some((b) => signIn?.some((a) => areOfOneHouse(a, b)))
      )
        return;
      yield {
        place: property.value.place,
        message: `Use ${one.title}'s token URL: ${one.oauth2.tokenUrl}. Users sign in there, and ${other.title} cannot exchange a code of ${one.title}.`,
      };
    },
  },
});
