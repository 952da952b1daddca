import { fieldValue } from "../configuration/config.ts";
import { fieldPlace, setting, unsuitedField } from "../configuration/observation.ts";
import { oauth2, observationRule, user } from "../rule.ts";

export default observationRule({
  id: "seen-url-moved",
  severity: "warning",
  docs: `The token endpoint answered with a redirect or a web page, or the authorization endpoint has moved.

A sign-in showed this. Set \`tokenUrl\` or \`authorizationUrl\` to the final address, if that is the provider's. The client secret never follows a redirect, so the sign-in fails. A browser follows the redirect of \`authorizationUrl\`, but only while the provider keeps it. If \`tokenUrl\` answers with a web page, it is an address for browsers. Look for the token endpoint in the provider's documentation.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/authorize",
        «tokenUrl»: "https://login.acme.example/token",`,
      evidence: { code: "url-moved", names: ["https://login.acme.example/v2/token"] },
      change: ['"https://login.acme.example/token"', '"https://login.acme.example/v2/token"'],
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/authorize",
        «tokenUrl»: "https://login.acme.example/token",`,
      evidence: { code: "url-moved", names: [] },
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        «authorizationUrl»: "https://login.acme.example/authorize",
        tokenUrl: "https://login.acme.example/token",`,
      evidence: { code: "authorization-moved", names: ["https://id.acme.example/authorize"] },
      change: ["login.acme.example", "id.acme.example"],
    },
    { good: oauth2`` },
  ],
  reports: {
    *"authorization-moved"(pack, auth, [address]) {
      if (address === undefined) return;
      const value = fieldValue(pack, auth, "authorizationUrl");
      // The change would lose a query of the old URL.
      const isPlain = value?.kind === "string" && !value.value.includes("?");
      yield {
        place: fieldPlace(auth, "authorizationUrl"),
        message: `Set authorizationUrl to ${address}, if that is the provider's. It redirects there permanently.`,
        fixes: () => (isPlain ? setting(pack, auth, "authorizationUrl", address) : []),
      };
    },
    *"url-moved"(pack, auth, [address]) {
      const redirects = `Set tokenUrl to ${address}, if that is the provider's. The address redirects there, and the secret is not sent on.`;
      if (address !== undefined) yield unsuitedField(pack, auth, "tokenUrl", address, redirects);
      else yield { place: fieldPlace(auth, "tokenUrl"), message: "Correct tokenUrl. It answered with a web page instead of a token." };
    },
  },
});
