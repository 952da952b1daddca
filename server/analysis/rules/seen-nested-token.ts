import { propose } from "../configuration/config.ts";
import { describeObservation, fieldPlace, setField } from "../configuration/observation.ts";
import { pack, rule } from "../rule.ts";
import { quoteIn } from "../text/edit.ts";

export default rule({
  id: "seen-nested-token",
  severity: "warning",
  source: "a sign-in or a run",
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
  on: {
    *observation(pack, { fact, auth }) {
      const [key] = fact.names;
      if (fact.code !== "nested-token" || auth === undefined || key === undefined) return;
      yield {
        place: fieldPlace(auth, "nestedResponseKey"),
        message: `Set nestedResponseKey to ${JSON.stringify(key)}. The access token is in that object of the token response.${describeObservation(fact)}`,
        fixes: () =>
          setField(pack, auth, "nestedResponseKey", quoteIn(pack, auth.config, key)).map((edit) =>
            propose(`Set nestedResponseKey to ${key}`, edit),
          ),
      };
    },
  },
});
