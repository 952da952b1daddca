import { fieldValue, fix, knownAuths, propertyOf, propose } from "../config.ts";
import { declaredDomain } from "../domain-text.ts";
import { insertProperty, insertStatementBefore, quoteLike, replace } from "../edit.ts";
import type { AuthConfig, Fix, PackModel } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "endpoint-domain-undeclared",
  severity: "error",
  source: "auth-spec 5.7.4",
  fields: ["endpointDomain"],
  docs: `An \`endpointDomain\` is outside the pack's network domains.

It only checks what the user types; where requests may go is decided by the network domains, so requests to such an endpoint could not be sent, and the platform rejects the pack. It must equal a declared domain or lie under one, and must be in \`networkDomain\` where that is set. Declare the domain with \`pack.addNetworkDomain\`.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n  networkDomain: "example.com",\n  requiresEndpointUrl: true,\n  endpointDomain: «"example.org"»,\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addNetworkDomain("example.org");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n  networkDomain: ["example.com", "example.org"],\n  requiresEndpointUrl: true,\n  endpointDomain: "example.org",\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addNetworkDomain("example.org");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "example.com", requiresEndpointUrl: true, endpointDomain: «"example.org"» });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "eu.example.com" });\n`,
    },
  ],
  *check(pack) {
    // Of one that is no bare domain, network-domain-form speaks.
    const declared = [...new Set(pack.domains.declared.map(({ value }) => declaredDomain(value)))];
    if (!pack.domains.complete || declared.length === 0) return;
    for (const auth of knownAuths(pack)) {
      const property = auth.type === "None" || auth.type === "Various" ? undefined : propertyOf(auth.config, "endpointDomain");
      const domain = property === undefined ? undefined : pack.resolve(property.value);
      if (property === undefined || domain?.kind !== "string" || domain.value === "") continue;
      const chosen = chosenDomains(pack, auth);
      const isDeclared = declared.some((other) => domain.value === other || domain.value.endsWith(`.${other}`));
      if (!isDeclared) {
        yield {
          place: property.value,
          message: `No declared network domain covers ${domain.value}, so requests to the endpoint could not be sent, and the platform rejects the pack. Declared: ${declared.join(", ")}.`,
          fixes: () => {
            // Domains are compared letter by letter.
            const lower = domain.value.toLowerCase();
            const isCovered = declared.some((other) => lower === other || lower.endsWith(`.${other}`));
            if (!isCovered) return declare(pack, auth, domain.value, chosen ?? declared);
            return property.value.kind === "string"
              ? [fix(`Change to ${lower}`, replace(property.value, quoteLike(pack, property.value, lower)))]
              : [];
          },
        };
      } else if (chosen !== undefined && !chosen.includes(domain.value)) {
        yield {
          place: property.value,
          message: `endpointDomain is ${domain.value}, and networkDomain sends the credentials to ${chosen.join(", ")} alone: the platform rejects the pack. Name the same domain in both.`,
        };
      }
    }
  },
});

/** Declares the domain, and has it get the credentials beside those that get them now. */
function declare(pack: PackModel, auth: AuthConfig, domain: string, others: readonly string[]): readonly Fix[] {
  const { call, config } = auth;
  if (call?.statement === undefined) return [];
  const list = `[${[...others, domain].map((name) => JSON.stringify(name)).join(", ")}]`;
  const chosen = propertyOf(config, "networkDomain");
  return [
    propose(
      `Add network domain ${domain}`,
      insertStatementBefore(pack, { file: call.file, ...call.statement }, `${call.receiver}.addNetworkDomain(${JSON.stringify(domain)});`),
      chosen === undefined ? insertProperty(pack, config, `networkDomain: ${list}`) : replace(chosen.value, list),
    ),
  ];
}

/** The domains of `networkDomain`, where it is set and all of it is known. */
function chosenDomains(pack: PackModel, auth: AuthConfig): readonly string[] | undefined {
  const value = fieldValue(pack, auth, "networkDomain");
  if (value === undefined || (value.kind === "array" && value.open)) return undefined;
  const items = (value.kind === "array" ? value.items : [value]).map((item) => pack.resolve(item));
  return items.every((item) => item.kind === "string") ? items.map((item) => declaredDomain(item.value)) : undefined;
}
