import { isLoopback } from "../../../base/is-loopback.ts";
import { fix, propose } from "../configuration/config.ts";
import { bareDomain, domainDoubt, domainFault, intendedDomain, isAddress, singleDomains } from "../domains/hosts.ts";
import { pack, rule, source } from "../rule.ts";
import { isSpread } from "../syntax/expressions.ts";
import { literalEdits, quoteLike, replace } from "../text/edit.ts";
import { startOf } from "../text/place.ts";

/** Returns whether the name has no dot: a top-level domain, or not a public host. */
const isTopLevel = (value: string): boolean => /^[a-z]{2,}$/i.test(value) && value.toLowerCase() !== "localhost";

export default rule({
  id: "network-domain-form",
  severity: "error",
  verdict: "will-be-rejected",
  source: "sdk-facts 2",
  docs: `A declared network domain is not a bare domain.

Write the bare domain, such as \`example.com\`. It covers its subdomains. The platform compares it with the host of each request, and a host has no scheme, path or wildcard. Nothing could be sent to such a domain, and the platform rejects most of them.

A placeholder of a template, such as \`{subdomain}\` or \`YOUR_DOMAIN\`, is a warning: the upload accepts it, and nothing replaces it. So is an IP address, to which the platform sends no request.`,
  examples: [
    {
      bad: pack`
        pack.addNetworkDomain(«"https://example.com/api"»);
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "example.com" });`,
      change: ['"https://example.com/api"', '"example.com"'],
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack({ networkDomains: [«"*.example.com"»] });
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });`,
      change: ['"*.example.com"', '"example.com"'],
    },
    { bad: pack`pack.addNetworkDomain(«"{subdomain}.acme.example"»);` },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.«addNetworkDomain»();`,
    },
    { bad: pack`pack.addNetworkDomain("acme.example", «42»);` },
    { good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });` },
  ],
  on: {
    *pack({ domains }) {
      for (const { place } of domains.noTexts)
        yield {
          place,
          message: `Write the domain as a string, such as "example.com". This is not a string, and the platform rejects the pack.`,
        };
    },
    *call(pack, call) {
      if (call.method !== "addNetworkDomain") return;
      // A method of the pack's own may declare domains without an argument.
      if (call.arguments.length === 0 && call.receiver !== "" && !pack.facts.some(({ uses }) => uses("defines", "addNetworkDomain")))
        yield {
          place: call.nameSpan,
          severity: "warning",
          message: `Give addNetworkDomain the API's domain, such as "example.com". Without one it declares nothing.`,
        };
      for (const argument of call.arguments) {
        const value = pack.resolve(argument);
        if (value.kind !== "array" || isSpread(argument)) continue;
        yield {
          place: argument.place,
          message: "Give each domain as an argument of its own. addNetworkDomain takes no array, and the platform rejects the pack.",
          fixes: () => [fix("Spread the array", replace(startOf(argument.place), "..."))],
        };
      }
    },
    *domain(pack, { value, expression }) {
      if (isTopLevel(value))
        yield {
          place: expression.place,
          severity: "warning",
          message: `Declare the API's own domain, such as example.${value.toLowerCase()}. ${value} alone would let every host under it receive the credentials, or is no host at all.`,
        };
      if (isAddress(value)) {
        // A pack can be tried against this machine.
        if (!isLoopback(value) && value !== "::1")
          yield {
            place: expression.place,
            severity: "warning",
            message: `Declare the API's domain name. ${value} is an IP address, and the platform refuses requests to it.`,
          };
        return;
      }
      const parts = singleDomains(value);
      if (parts.length > 1 && parts.every((part) => part.includes(".") && bareDomain(part) === part.toLowerCase())) {
        yield {
          place: expression.place,
          verdict: "fails-when-run",
          message: `Declare each domain by itself. ${JSON.stringify(value.slice(0, 80))} lists ${parts.length} in one text, so no host matches it.`,
          fixes: () =>
            expression.kind === "string"
              ? [
                  propose(
                    `Divide it into ${parts.length} domains`,
                    replace(expression.place, parts.map((part) => quoteLike(pack, expression.place, part)).join(", ")),
                  ),
                ]
              : [],
        };
        return;
      }
      const doubt = domainDoubt(value);
      const fault = doubt ?? domainFault(value);
      const bare = intendedDomain(value);
      if (fault === undefined) return;
      // It is undocumented whether the platform compares hosts with their port.
      const isUnsure = fault === "has a port";
      const isRejected = fault === "is a URL" || fault === "has a path" || fault.startsWith("is longer");
      yield {
        place: expression.place,
        ...(isRejected ? {} : { verdict: "fails-when-run" as const }),
        message: `Write a bare domain${bare === undefined ? "" : `: ${bare}, which covers its subdomains too`}. ${JSON.stringify(value.slice(0, 80))} ${fault}${isRejected ? ", and the platform rejects the pack" : isUnsure ? ", and the platform may know hosts without one only" : ", so no host matches it"}.`,
        fixes: bare === undefined ? [] : literalEdits(pack, expression, bare).map((edit) => fix(`Change to ${bare}`, edit)),
        ...(doubt !== undefined || isUnsure ? { severity: "warning" as const } : {}),
      };
    },
  },
});
