import { fieldValue, fix, headOf, isAbsent, propertyOf } from "../configuration/config.ts";
import { isPlatformDomain, PLATFORM_DOMAINS } from "../domains/hosts.ts";
import { pack, rule } from "../rule.ts";
import { insertProperty, replace } from "../text/edit.ts";

export default rule({
  id: "coda-token-domain",
  severity: "error",
  verdict: "will-be-rejected",
  source: "sdk-facts 2",
  docs: `A \`CodaApiHeaderBearerToken\` would be sent to a domain that is not the platform's own.

The token is one for the platform's own API, with the user's own rights. It goes to the platform's domains only (\`coda.io\`, \`superhuman.com\`). The platform rejects the pack otherwise. Use \`HeaderBearerToken\` for another API, or name the platform's domain in \`networkDomain\`.`,
  supersedes: ["network-domain-choice"],
  examples: [
    {
      bad: pack`
        pack.addNetworkDomain("coda.io");
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ «type: coda.AuthenticationType.CodaApiHeaderBearerToken» });`,
      change: ["AuthenticationType.CodaApiHeaderBearerToken", 'AuthenticationType.CodaApiHeaderBearerToken, networkDomain: "coda.io"'],
      good: ['pack.addNetworkDomain("example.com");\n', ""],
    },
    {
      bad: pack`
        pack.addNetworkDomain("coda.io", "example.com");
        pack.setUserAuthentication({ type: coda.AuthenticationType.CodaApiHeaderBearerToken, networkDomain: «"example.com"» });`,
      change: ['networkDomain: "example.com"', 'networkDomain: "coda.io"'],
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "CodaApiHeaderBearerToken") return;
      const declared = [...new Set(pack.domains.declared.flatMap(({ value, conditional }) => (conditional ? [] : value)))];
      const foreign = declared.filter((domain) => !isPlatformDomain(domain));
      const own = declared.filter(isPlatformDomain);
      // The author must fill in an empty domain first.
      if (foreign.length === 0 || foreign.includes("")) return;
      const property = propertyOf(auth.config, "networkDomain");
      const value = fieldValue(pack, auth, "networkDomain");
      const why = `CodaApiHeaderBearerToken is for the platform's own API (${PLATFORM_DOMAINS.slice(0, 2).join(", ")}). The platform rejects the pack otherwise.`;
      if (isAbsent(pack, auth, "networkDomain")) {
        yield {
          place: headOf(auth),
          message: `Use HeaderBearerToken for another API${own.length === 0 ? "" : ", or choose the platform's domain in networkDomain"}. The token would go to ${foreign.join(", ")}. ${why}`,
          fixes: () =>
            own.map((domain) =>
              fix(
                `Send the token to ${domain}`,
                property === undefined
                  ? insertProperty(pack, auth.config, `networkDomain: ${JSON.stringify(domain)}`)
                  : replace(property.value.place, JSON.stringify(domain)),
              ),
            ),
        };
        return;
      }
      for (const domainValue of value?.kind === "array" ? value.items : property === undefined ? [] : [property.value]) {
        const domain = pack.resolve(domainValue);
        if (domain.kind !== "string" || isPlatformDomain(domain.value)) continue;
        yield {
          place: domainValue.place,
          message: `Choose the platform's own domain. The token would go to ${domain.value}. ${why}`,
          fixes:
            domainValue.kind === "string"
              ? own.map((other) => fix(`Change to ${other}`, replace(domainValue.place, JSON.stringify(other))))
              : [],
        };
      }
    },
  },
});
