import { fieldValue, isAbsent, isTrue, knownAuths, nameOf, propertyOf } from "../config.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "endpoint-several-sources",
  severity: "warning",
  source: "auth-spec 5.7.3",
  fields: ["postSetup"],
  docs: `An account would get its endpoint from more than one source.

A SetEndpoint step together with \`requiresEndpointUrl\` or \`endpointKey\`: which endpoint wins is not defined. Keep one source. (\`requiresEndpointUrl\` with \`endpointKey\` is a legal pair.)`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  requiresEndpointUrl: true,\n  «postSetup»: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async function (context) { return []; } }],\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async function (context) { return []; } }],\n});\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      const steps = fieldValue(pack, auth, "postSetup");
      const property = propertyOf(auth.config, "postSetup");
      if (property === undefined || steps?.kind !== "array" || steps.items.length === 0) continue;
      const others = [
        ...(isTrue(pack, auth, "requiresEndpointUrl") ? ["requiresEndpointUrl"] : []),
        ...(propertyOf(auth.config, "endpointKey") !== undefined && !isAbsent(pack, auth, "endpointKey") ? ["endpointKey"] : []),
      ];
      if (others.length === 0) continue;
      yield {
        place: nameOf(property),
        message: `The endpoint would come from postSetup and from ${others.join(" and ")}: which one wins is not defined. Keep one of them.`,
      };
    }
  },
});
