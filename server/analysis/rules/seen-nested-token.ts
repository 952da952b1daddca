import { fieldPlace, setting } from "../configuration/observation.ts";
import { observationRule, pack } from "../rule.ts";

export default observationRule({
  id: "seen-nested-token",
  severity: "warning",
  docs: `The token response contained the access token in an object that \`nestedResponseKey\` does not name.

A sign-in showed this. The platform reads \`access_token\` from the response itself, or from the object that \`nestedResponseKey\` names. Set it, and sign in again.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          «type: coda.AuthenticationType.OAuth2»,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
        });
      `,
      evidence: { code: "nested-token", names: ["authed_user"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          nestedResponseKey: "authed_user",
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          «nestedResponseKey»: "user",
        });
      `,
      evidence: { code: "nested-token", names: ["authed_user"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          nestedResponseKey: "authed_user",
        });
      `,
    },
    {
      good: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.HeaderBearerToken,
        });
      `,
    },
  ],
  reports: {
    *"nested-token"(pack, auth, [key]) {
      if (key === undefined) return;
      yield {
        place: fieldPlace(auth, "nestedResponseKey"),
        message: `Set nestedResponseKey to ${JSON.stringify(key)}. The access token is in that object of the token response.`,
        fixes: () => setting(pack, auth, "nestedResponseKey", key),
      };
    },
  },
});
