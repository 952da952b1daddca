import { headOf, isAbsent, mayBeTrue } from "../configuration/config.ts";
import { withUrl } from "../configuration/suggested-url.ts";
import { rule, user } from "../rule.ts";

export default rule({
  id: "oauth2-missing-authorization-url",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 5.5.1",
  docs: `An OAuth2 configuration has no \`authorizationUrl\`.

Add the URL from the provider's documentation. Users are sent there to sign in. TypeScript does not require it, because it is optional with \`useDynamicClientRegistration\`. Without that the platform rejects the pack.`,
  supersedes: ["field-missing", "field-empty"],
  examples: [
    {
      bad: user`
        «type: coda.AuthenticationType.OAuth2»,
        tokenUrl: "https://login.acme.example/token",`,
      change: ["}", '  authorizationUrl: "https://login.acme.example/authorize",\n}'],
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
      if (auth.type !== "OAuth2" || !isAbsent(pack, auth, "authorizationUrl") || mayBeTrue(pack, auth, "useDynamicClientRegistration"))
        return;
      yield {
        place: headOf(auth),
        message:
          "Add authorizationUrl, or set useDynamicClientRegistration: true. Users sign in there, and the platform rejects OAuth2 without it.",
        fixes: () => withUrl(pack, auth, "authorizationUrl"),
      };
    },
  },
});
