import { headOf, isAbsent, mayBeTrue } from "../configuration/config.ts";
import { withUrl } from "../configuration/suggested-url.ts";
import { oauth2, pack, rule, user } from "../rule.ts";

export default rule({
  id: "oauth2-missing-token-url",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 5.5.1",
  docs: `An OAuth configuration has no \`tokenUrl\`.

Add the URL from the provider's documentation. The platform exchanges the code for a token there. TypeScript does not require it, because it is optional with \`useDynamicClientRegistration\`. Without that the platform rejects the pack.`,
  supersedes: ["field-missing", "field-empty"],
  examples: [
    {
      bad: user`
        «type: coda.AuthenticationType.OAuth2»,
        authorizationUrl: "https://login.acme.example/authorize",`,
      fixed: oauth2``,
    },
    {
      bad: pack`pack.setSystemAuthentication({ «type: coda.AuthenticationType.OAuth2ClientCredentials» });`,
      fixed: pack`pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://acme.example/oauth/token" });`,
    },
    {
      good: user`
        type: coda.AuthenticationType.OAuth2,
        useDynamicClientRegistration: true,
        useProofKeyForCodeExchange: true,`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2" && auth.type !== "OAuth2ClientCredentials") return;
      if (!isAbsent(pack, auth, "tokenUrl") || mayBeTrue(pack, auth, "useDynamicClientRegistration")) return;
      yield {
        place: headOf(auth),
        message: `Add tokenUrl${auth.type === "OAuth2" ? ", or set useDynamicClientRegistration: true" : ""}. The platform gets the access token there, and rejects ${auth.type} without it.`,
        fixes: () => withUrl(pack, auth, "tokenUrl"),
      };
    },
  },
});
