import { hasCredential } from "../../../spec/auth-types.ts";
import { fieldValue, fix, propertyOf, propose } from "../configuration/config.ts";
import { declaration } from "../configuration/declare-domain.ts";
import { offeredEndpoints } from "../configuration/endpoint-source.ts";
import { declaredDomain, domainOf, isPublic, isUnder, singleDomains } from "../domains/hosts.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import { piecesOf } from "../requests/partial-text.ts";
import { urlOf } from "../requests/read-request.ts";
import { bearer, pack, rule, user } from "../rule.ts";
import { insertProperty, literalEdits, replace } from "../text/edit.ts";

export default rule({
  id: "endpoint-domain-undeclared",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.8.6",
  source: "auth-spec 5.7.4",
  docs: `An \`endpointDomain\`, or an endpoint that a SetEndpoint step offers, is outside the pack's network domains.

Declare the domain with \`pack.addNetworkDomain\`. \`endpointDomain\` only checks what the user types. The network domains decide where requests may go, so the platform rejects the pack. \`endpointDomain\` must be a declared domain or a subdomain of one, and be in \`networkDomain\` where that is set. The same is true of the endpoints that \`getOptions\` returns.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.WebBasic,
        networkDomain: "acme.example",
        requiresEndpointUrl: true,
        endpointDomain: «"example.org"»,`,
      fixed: pack`
        pack.addNetworkDomain("acme.example");
        pack.addNetworkDomain("example.org");
        pack.setUserAuthentication({
          type: coda.AuthenticationType.WebBasic,
          networkDomain: ["acme.example", "example.org"],
          requiresEndpointUrl: true,
          endpointDomain: "example.org",
        });`,
    },
    {
      bad: pack`
        pack.addNetworkDomain("acme.example");
        pack.addNetworkDomain("example.org");
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "acme.example", requiresEndpointUrl: true, endpointDomain: «"example.org"» });`,
    },
    {
      bad: bearer`
        postSetup: [{
          type: coda.PostSetupType.SetEndpoint,
          name: "Region",
          description: "Choose your region",
          getOptions: async () => [
            { display: "Europe", value: "https://eu.acme.example" },
            { display: "America", value: «"https://api.acme-us.example"» },
          ],
        }],`,
    },
    {
      good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "eu.acme.example" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      // The rule network-domain-form reports a declaration that is not a bare domain.
      const declared = [...new Set(pack.domains.declared.flatMap(({ value }) => singleDomains(value).map(declaredDomain)))];
      // The author must fill in an empty domain first.
      if (!pack.domains.complete || declared.length === 0 || declared.includes("")) return;
      yield* offered(pack, auth, declared);
      const property = !hasCredential(auth.type) ? undefined : propertyOf(auth.config, "endpointDomain");
      const domain = property === undefined ? undefined : pack.resolve(property.value);
      if (property === undefined || domain?.kind !== "string" || domain.value === "") return;
      const chosen = chosenDomains(pack, auth);
      const isDeclared = declared.some((other) => domain.value === other || domain.value.endsWith(`.${other}`));
      if (!isDeclared) {
        yield {
          place: property.value.place,
          message: `Declare ${domain.value} with pack.addNetworkDomain. The platform rejects the pack: no network domain covers it (${declared.join(", ")}).`,
          fixes: () => {
            // Domains are compared with their case.
            const lower = domain.value.toLowerCase();
            const isCovered = declared.some((other) => lower === other || lower.endsWith(`.${other}`));
            if (!isCovered) return declare(pack, auth, domain.value, chosen ?? declared);
            return literalEdits(pack, property.value, lower).map((edit) => fix(`Change to ${lower}`, edit));
          },
        };
      } else if (chosen !== undefined && !chosen.includes(domain.value)) {
        yield {
          place: property.value.place,
          message: `Use the same domain in endpointDomain and networkDomain. The platform rejects ${domain.value} here while the credentials go to ${chosen.join(", ")} alone.`,
        };
      }
    },
  },
});

/** Reports the endpoints of a step that no declared domain covers. */
function* offered(pack: PackModel, auth: AuthConfig, declared: readonly string[]): Iterable<Finding> {
  for (const { place, value } of offeredEndpoints(pack, auth)) {
    const { host } = urlOf(value, piecesOf(value, pack.resolve));
    if (host === undefined || declared.some((domain) => isUnder(host, domain.toLowerCase()))) continue;
    const { file, start, end } = place;
    yield {
      place: { file, start, end },
      verdict: "fails-when-run",
      message: `Declare the domain of ${host} with pack.addNetworkDomain. Users who choose this endpoint can send no request: no network domain covers it (${declared.join(", ")}).`,
      fixes: () => declare(pack, auth, domainOf(host), chosenDomains(pack, auth) ?? declared),
    };
  }
}

/** Declares the domain, and adds it to the domains that get the credentials. */
function declare(pack: PackModel, auth: AuthConfig, domain: string, otherDomains: readonly string[]): readonly Fix[] {
  const { config } = auth;
  const declared = isPublic(domain) ? declaration(pack, domain) : undefined;
  if (declared === undefined) return [];
  const list = `[${[...otherDomains, domain].map((name) => JSON.stringify(name)).join(", ")}]`;
  const chosen = propertyOf(config, "networkDomain");
  return [
    propose(
      `Add network domain ${domain}, and send the credentials to it, too`,
      declared,
      chosen === undefined ? insertProperty(pack, config, `networkDomain: ${list}`) : replace(chosen.value.place, list),
    ),
  ];
}

/** Returns the domains of `networkDomain`, or undefined if the field is absent or partly unknown. */
function chosenDomains(pack: PackModel, auth: AuthConfig): readonly string[] | undefined {
  const value = fieldValue(pack, auth, "networkDomain");
  if (value === undefined || (value.kind === "array" && value.open)) return undefined;
  const items = (value.kind === "array" ? value.items : [value]).map((item) => pack.resolve(item));
  return items.every((item) => item.kind === "string") ? items.map((item) => declaredDomain(item.value)) : undefined;
}
