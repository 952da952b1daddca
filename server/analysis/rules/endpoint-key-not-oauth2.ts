import { nameOf, propertyOf, removal } from "../configuration/config.ts";
import { pack, rule, user } from "../rule.ts";

export default rule({
  id: "endpoint-key-not-oauth2",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 5.7.3",
  docs: `A configuration that is not OAuth2 has an \`endpointKey\`.

Remove it, or use \`requiresEndpointUrl\` or \`postSetup\`. It names a property of the token response, which only OAuth2 has. The platform rejects it with other types.`,
  supersedes: ["field-not-for-type", "field-unknown", "field-type"],
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.WebBasic,
        «endpointKey»: "instance_url",`,
      fixed: user`type: coda.AuthenticationType.WebBasic,`,
    },
    {
      good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", endpointKey: "instance_url" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      const property = propertyOf(auth.config, "endpointKey");
      if (auth.type === "OAuth2" || property === undefined || pack.toolkit?.fieldsByType.get(auth.type)?.has("endpointKey")) return;
      yield {
        place: nameOf(property),
        message: `Remove endpointKey, or use requiresEndpointUrl or postSetup. It names a property of OAuth2's token response, and ${auth.type} has none: the platform rejects it.`,
        fixes: () => removal(pack, auth.config, property),
      };
    },
  },
});
