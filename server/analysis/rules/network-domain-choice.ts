import { fix, headOf, isAbsent, knownAuths, mayHave, propertyOf } from "../config.ts";
import { insertProperty, replace } from "../edit.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "network-domain-choice",
  severity: "error",
  source: "sdk-facts 2",
  about: "severalDomains",
  docs: `A pack declares several network domains, and its authentication does not say which of them get the credentials.

The platform sends no credentials on a guess and rejects the pack. Add \`networkDomain\` with one of the declared domains, or a list.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addNetworkDomain("cdn.example");\npack.setUserAuthentication({ «type: coda.AuthenticationType.HeaderBearerToken» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addNetworkDomain("cdn.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "example.com" });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["example.com"] });\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ «type: coda.AuthenticationType.HeaderBearerToken» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["example.com"] });\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "example.com" });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com", "cdn.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "example.com" });\n`,
    },
  ],
  *check(pack) {
    // Of domains in branches it cannot be told which are declared together.
    const certain = pack.domains.declared.filter((domain) => !domain.conditional);
    const declared = [...new Set(certain.map((domain) => domain.value))];
    if (certain.length < 2 || pack.partial) return;
    for (const auth of knownAuths(pack)) {
      if (auth.type === "None" || auth.type === "Various" || !isAbsent(pack, auth, "networkDomain")) continue;
      // By the specification endpointDomain names the one; only the installed toolkit wants more.
      if (mayHave(pack, auth, "endpointDomain") && pack.toolkit === undefined) continue;
      const property = propertyOf(auth.config, "networkDomain");
      yield {
        place: headOf(auth),
        message:
          declared.length === 1
            ? `The network domain ${declared[0]} is declared ${certain.length} times, which the platform counts as several, and it rejects a pack whose authentication does not say which of several gets the credentials. Declare it once, or add networkDomain.`
            : `${declared.length} network domains are declared (${listed(declared)}), and the authentication does not say which get the credentials: the platform rejects the pack. Add networkDomain.`,
        fixes: () =>
          declared
            .slice(0, MOST_LISTED)
            .map((domain) =>
              fix(
                `Send the credentials to ${domain}`,
                property === undefined
                  ? insertProperty(pack, auth.config, `networkDomain: ${JSON.stringify(domain)}`)
                  : replace(property.value, JSON.stringify(domain)),
              ),
            ),
      };
    }
  },
});

/** Nobody reads, or chooses from, a longer list. */
const MOST_LISTED = 20;

const listed = (domains: readonly string[]): string =>
  domains.slice(0, MOST_LISTED).join(", ") + (domains.length > MOST_LISTED ? ", …" : "");
