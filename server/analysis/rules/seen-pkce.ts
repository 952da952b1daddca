import { propertyOf, propose, removal } from "../configuration/config.ts";
import { describeObservation, fieldPlace, setField } from "../configuration/observation.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "seen-pkce",
  severity: "warning",
  source: "a sign-in or a run",
  docs: `The provider demanded or refused PKCE, and \`useProofKeyForCodeExchange\` says otherwise.

A sign-in showed this. PKCE (RFC 7636) binds the authorization code to the application that asked for it. The platform uses it only if \`useProofKeyForCodeExchange\` is true.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          «type: coda.AuthenticationType.OAuth2»,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
        });
      `,
      evidence: { code: "pkce", names: ["required"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          useProofKeyForCodeExchange: true,
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          «useProofKeyForCodeExchange»: true,
        });
      `,
      evidence: { code: "pkce", names: ["refused"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
        });
      `,
    },
    {
      good: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
          useProofKeyForCodeExchange: true,
        });
      `,
    },
  ],
  on: {
    *observation(pack, { fact, auth }) {
      if (fact.code !== "pkce" || auth === undefined) return;
      const place = fieldPlace(auth, FIELD);
      if (fact.names[0] === "required")
        yield {
          place,
          message: `Set ${FIELD} to true. The provider demands PKCE.${describeObservation(fact)}`,
          fixes: () => setField(pack, auth, FIELD, "true").map((edit) => propose(`Set ${FIELD} to true`, edit)),
        };
      const property = propertyOf(auth.config, FIELD);
      if (fact.names[0] === "refused" && property !== undefined)
        yield {
          place,
          message: `Remove ${FIELD}. The provider refuses PKCE.${describeObservation(fact)}`,
          fixes: () => removal(pack, auth.config, property),
        };
    },
  },
});

const FIELD = "useProofKeyForCodeExchange";
