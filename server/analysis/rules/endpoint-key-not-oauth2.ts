import { knownAuths, nameOf, propertyOf, removal } from "../config.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "endpoint-key-not-oauth2",
  severity: "error",
  source: "auth-spec 5.7.3",
  fields: ["endpointKey"],
  docs: `\`endpointKey\` stands in a configuration that is not OAuth2.

It names a property of the token response, and only OAuth2 has one. The platform rejects it elsewhere. Remove it; for other types use \`requiresEndpointUrl\` or \`postSetup\`.`,
  supersedes: ["field-not-for-type", "field-unknown", "field-type"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n  «endpointKey»: "instance_url",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", endpointKey: "instance_url" });\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      const property = propertyOf(auth.config, "endpointKey");
      if (auth.type === "OAuth2" || property === undefined) continue;
      yield {
        place: nameOf(property),
        message: `endpointKey names a property of OAuth2's token response, and ${auth.type} has none: the platform rejects it. Remove it, or use requiresEndpointUrl or postSetup.`,
        fixes: () => removal(pack, auth.config, property),
      };
    }
  },
});
