import { fix } from "../config.ts";
import { bareDomain, domainFault } from "../domain-text.ts";
import { replace } from "../edit.ts";
import { rule } from "../rule.ts";

/** Without a dot: what all domains of a country or a kind end with, or no public host. */
const isTopLevel = (value: string): boolean => /^[a-z]{2,}$/i.test(value) && value.toLowerCase() !== "localhost";

export default rule({
  id: "network-domain-form",
  severity: "error",
  source: "sdk-facts 2",
  about: "doubtfulDomain",
  docs: `A declared network domain is no bare domain.

Requests are compared with it by their host, and a host has no scheme, path or wildcard: nothing could be sent there, and the platform rejects most of these. Subdomains are covered by themselves. Write the bare domain, such as \`example.com\`.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain(«"https://example.com/api"»);\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "example.com" });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "example.com" });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: [«"*.example.com"»] });\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ networkDomains: ["example.com"] });\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n`,
    },
  ],
  *check(pack) {
    for (const call of pack.facts.flatMap(({ calls }) => calls)) {
      if (call.method !== "addNetworkDomain") continue;
      for (const argument of call.arguments) {
        const value = pack.resolve(argument);
        if (value.kind !== "array" || pack.text(argument.file).startsWith("...", argument.start)) continue;
        yield {
          place: argument,
          message:
            "addNetworkDomain takes domains, not a list of them: the platform rejects the pack. Give each as an argument of its own.",
          fixes: () => [fix("Spread the array", { file: argument.file, start: argument.start, end: argument.start, text: "..." })],
        };
      }
    }
    for (const { value, place } of pack.domains.declared) {
      if (isTopLevel(value))
        yield {
          place,
          severity: "warning",
          message: `Declare the API's own domain, such as example.${value.toLowerCase()}. ${value} alone would let every host under it receive the credentials, or is no host at all.`,
        };
      const fault = domainFault(value);
      const bare = bareDomain(value);
      if (fault === undefined) continue;
      const isRejected = fault === "is a URL" || fault === "has a path" || fault.startsWith("is longer");
      yield {
        place,
        message: `The network domain ${JSON.stringify(value.slice(0, 80))} ${fault}: ${isRejected ? "the platform rejects the pack" : "no host could match it, so no request could be sent there"}. Write a bare domain${bare === undefined ? "" : `: ${bare}, which covers its subdomains too`}.`,
        fixes: bare === undefined || place.kind !== "string" ? [] : [fix(`Change to ${bare}`, replace(place, JSON.stringify(bare)))],
        // Whether the platform compares hosts with their port is not written anywhere.
        ...(fault === "has a port" ? { severity: "warning" as const } : {}),
      };
    }
  },
});
