import { closest } from "../../../base/closest.ts";
import { hasCredential } from "../../../spec/auth-types.ts";
import { fieldValue, isAbsent, isTrue, propertyOf, propose, removal } from "../configuration/config.ts";
import { declaredDomain, singleDomains } from "../domains/hosts.ts";
import { pack, rule, source } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "network-domain-unmatched",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.8.6",
  source: "sdk-facts 2",
  docs: `The \`networkDomain\` of an authentication is not a declared network domain.

Use a declared domain, or declare this one with \`pack.addNetworkDomain\`. \`networkDomain\` says which of the pack's network domains get the credentials. It must be exactly one of them, or an array of them. The platform rejects anything else.`,
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: «"exmaple.com"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "acme.example" });`,
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack({ networkDomains: ["example.com", "example.org"] });
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: ["example.org", «"api.example.com"»] });`,
      change: ['"api.example.com"', '"example.com"'],
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { DOMAINS } from "elsewhere";
        export const pack = coda.newPack({ networkDomains: DOMAINS });
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "example.com" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      const property = !hasCredential(auth.type) ? undefined : propertyOf(auth.config, "networkDomain");
      if (property === undefined || !pack.domains.complete) return;
      // The rule network-domain-form reports a declaration that is not a bare domain.
      const declared = [...new Set(pack.domains.declared.flatMap(({ value }) => singleDomains(value).map(declaredDomain)))];
      const verbatim = new Set(pack.domains.declared.map(({ value }) => value));
      if (declared.length === 0) {
        // Otherwise network-domain-missing reports the pack.
        const endpointDomain = fieldValue(pack, auth, "endpointDomain");
        const isEmpty = endpointDomain?.kind === "string" && endpointDomain.value === "";
        if (isTrue(pack, auth, "requiresEndpointUrl") && (isEmpty || isAbsent(pack, auth, "endpointDomain")))
          yield {
            place: property.value.place,
            message:
              "Declare this domain with pack.addNetworkDomain, or remove networkDomain. The pack declares none, so the platform rejects it.",
            fixes: () => removal(pack, auth.config, property),
          };
        return;
      }
      // The author must fill in an empty domain first.
      if (declared.includes("")) return;
      const value = pack.resolve(property.value);
      if (value.kind === "array" && value.items.length === 0 && !value.open)
        yield {
          place: property.value.place,
          message:
            "Add a declared domain to networkDomain. No domain gets the credentials while the array is empty, and the platform rejects the pack.",
        };
      for (const domainValue of value.kind === "array" ? value.items : [property.value]) {
        const domain = pack.resolve(domainValue);
        if (domain.kind !== "string" || declared.includes(domain.value) || verbatim.has(domain.value)) continue;
        const near = closest(domain.value, declared);
        const offered = near === undefined ? declared : [near, ...declared.filter((other) => other !== near)];
        yield {
          place: domainValue.place,
          message: `Use a declared network domain: ${declared.join(", ")}. ${JSON.stringify(domain.value)} is not one, so the platform rejects the pack.`,
          fixes: () =>
            domainValue.kind === "reference"
              ? []
              : offered.map((other) => propose(`Change to ${other}`, replace(domainValue.place, JSON.stringify(other)))),
        };
      }
    },
  },
});
