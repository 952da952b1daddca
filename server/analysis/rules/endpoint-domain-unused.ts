import { fieldValue, fix, isAbsent, knownAuths, nameOf, propertyOf, removal } from "../config.ts";
import { insertProperty, replace } from "../edit.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "endpoint-domain-unused",
  severity: "warning",
  source: "auth-spec 2.1",
  fields: ["endpointDomain"],
  docs: `An \`endpointDomain\` stands where no account has an endpoint.

It validates the endpoint URL that the user enters, and nothing asks for one. Set \`requiresEndpointUrl: true\`, or remove \`endpointDomain\`; which domains get requests is said by \`addNetworkDomain\` and \`networkDomain\`.

With \`endpointKey\` or a SetEndpoint step nothing is said: today's Packs SDK compares every endpoint with it, and refuses requests to one that lies outside. So it has an effect there, as it has where several domains are declared and it is what names the one that gets the credentials.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, «endpointDomain»: "example.com" });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, endpointDomain: "example.com", requiresEndpointUrl: true });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "example.com" });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", endpointKey: "instance_url", endpointDomain: "example.com" });\n`,
    },
  ],
  *check(pack) {
    const declared = new Set(pack.domains.declared.map((domain) => domain.value));
    for (const auth of knownAuths(pack)) {
      const property = auth.type === "None" || auth.type === "Various" ? undefined : propertyOf(auth.config, "endpointDomain");
      if (property === undefined || isAbsent(pack, auth, "endpointDomain") || auth.config.open) continue;
      const requires = fieldValue(pack, auth, "requiresEndpointUrl");
      const isAsked = requires !== undefined && requires.kind !== "undefined" && !(requires.kind === "boolean" && !requires.value);
      // Endpoints of other sources are compared with it by today's toolkit; of several domains it names the one that is meant (5.7.4).
      const isOfUse =
        !isAbsent(pack, auth, "endpointKey") ||
        !isAbsent(pack, auth, "postSetup") ||
        ((declared.size !== 1 || !pack.domains.complete) && isAbsent(pack, auth, "networkDomain"));
      if (isAsked || isOfUse) continue;
      const given = propertyOf(auth.config, "requiresEndpointUrl");
      yield {
        place: nameOf(property),
        message:
          "endpointDomain validates the endpoint URL that the user enters, and none is asked for: it has no effect. Set requiresEndpointUrl: true, or remove it.",
        fixes: () => [
          // With OAuth2 nobody is asked (auth-spec 5.7.3).
          ...(auth.type === "OAuth2"
            ? []
            : [
                fix(
                  "Ask for the endpoint URL (requiresEndpointUrl: true)",
                  given === undefined ? insertProperty(pack, auth.config, "requiresEndpointUrl: true") : replace(given.value, "true"),
                ),
              ]),
          ...removal(pack, auth.config, property),
        ],
      };
    }
  },
});
