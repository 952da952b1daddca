import { fix, knownAuths, propertyOf } from "../config.ts";
import { bareDomain, domainFault } from "../domain-text.ts";
import { replace } from "../edit.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "endpoint-domain-form",
  severity: "error",
  source: "auth-spec 2.1",
  fields: ["endpointDomain"],
  docs: `An \`endpointDomain\` is more than a bare domain.

It is compared with the host of the endpoint that the user types, and a host has no scheme, path, port or wildcard: no endpoint could ever match, so nobody could connect an account. Subdomains match by themselves. Write the bare domain, such as \`example.com\`.`,
  supersedes: ["endpoint-domain-undeclared", "field-type"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: «"https://*.example.com/"» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "example.com" });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "example.com" });\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      const property = auth.type === "None" || auth.type === "Various" ? undefined : propertyOf(auth.config, "endpointDomain");
      const value = property === undefined ? undefined : pack.resolve(property.value);
      // An empty one is as good as none.
      if (property === undefined || value?.kind !== "string" || value.value === "") continue;
      const fault = domainFault(value.value);
      const bare = bareDomain(value.value);
      if (fault === undefined) continue;
      yield {
        place: property.value,
        message: `endpointDomain ${JSON.stringify(value.value)} ${fault}: it is compared with the host that the user types, so no endpoint could match, and no account could be connected. Write a bare domain${bare === undefined ? "" : `: ${bare}`}.`,
        fixes:
          bare === undefined || property.value.kind !== "string"
            ? []
            : [fix(`Change to ${bare}`, replace(property.value, JSON.stringify(bare)))],
      };
    }
  },
});
