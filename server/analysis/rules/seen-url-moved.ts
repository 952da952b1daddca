import { fieldValue, propose } from "../configuration/config.ts";
import { describeObservation, fieldPlace, setField } from "../configuration/observation.ts";
import { pack, rule } from "../rule.ts";
import { quoteIn } from "../text/edit.ts";

export default rule({
  id: "seen-url-moved",
  severity: "warning",
  source: "a sign-in or a run",
  docs: `The token endpoint answered with a redirect or a web page, or the authorization endpoint has moved.

A sign-in showed this. Set \`tokenUrl\` or \`authorizationUrl\` to the final address, if that is the provider's. The client secret never follows a redirect, so the sign-in fails. A browser follows the redirect of \`authorizationUrl\`, but only while the provider keeps it. If \`tokenUrl\` answers with a web page, it is an address for browsers. Look for the token endpoint in the provider's documentation.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          «tokenUrl»: "https://login.acme.example/token",
        });
      `,
      evidence: { code: "url-moved", names: ["https://login.acme.example/v2/token"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/v2/token",
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://login.acme.example/authorize",
          «tokenUrl»: "https://login.acme.example/token",
        });
      `,
      evidence: { code: "url-moved", names: [] },
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          «authorizationUrl»: "https://login.acme.example/authorize",
          tokenUrl: "https://login.acme.example/token",
        });
      `,
      evidence: { code: "authorization-moved", names: ["https://id.acme.example/authorize"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://id.acme.example/authorize",
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
        });
      `,
    },
  ],
  on: {
    *observation(pack, { fact, auth }) {
      const [address] = fact.names;
      if (fact.code === "authorization-moved" && auth !== undefined && address !== undefined) {
        const value = fieldValue(pack, auth, "authorizationUrl");
        // The change would lose a query of the old URL.
        const isPlain = value?.kind === "string" && !value.value.includes("?");
        const text = quoteIn(pack, auth.config, address);
        yield {
          place: fieldPlace(auth, "authorizationUrl"),
          message: `Set authorizationUrl to ${address}, if that is the provider's. It redirects there permanently.${describeObservation(fact)}`,
          fixes: () =>
            (isPlain ? setField(pack, auth, "authorizationUrl", text) : []).map((edit) =>
              propose(`Set authorizationUrl to ${address}`, edit),
            ),
        };
      }
      if (fact.code !== "url-moved" || auth === undefined) return;
      const place = fieldPlace(auth, "tokenUrl");
      if (address === undefined)
        yield { place, message: `Correct tokenUrl. It answered with a web page instead of a token.${describeObservation(fact)}` };
      else
        yield {
          place,
          message: `Set tokenUrl to ${address}, if that is the provider's. The address redirects there, and the secret is not sent on.${describeObservation(fact)}`,
          fixes: () =>
            setField(pack, auth, "tokenUrl", quoteIn(pack, auth.config, address)).map((edit) =>
              propose(`Set tokenUrl to ${address}`, edit),
            ),
        };
    },
  },
});
