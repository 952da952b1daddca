import { NETWORK_DOMAIN_CHOICE_SINCE } from "../../../protocol/verdict.ts";
import { hasCredential } from "../../../spec/auth-types.ts";
import { fix, headOf, isAbsent, propertyOf, propose } from "../configuration/config.ts";
import type { TextEdit } from "../model/findings.ts";
import { pack, rule, source } from "../rule.ts";
import { insertProperty, replace } from "../text/edit.ts";

export default rule({
  id: "network-domain-choice",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: NETWORK_DOMAIN_CHOICE_SINCE,
  source: "sdk-facts 2",
  docs: `A pack declares several network domains, and its authentication does not say which of them get the credentials.

Add \`networkDomain\` with one of the declared domains, or an array of them. The platform does not guess, and rejects the pack.`,
  examples: [
    {
      bad: pack`
        pack.addNetworkDomain("acme.example");
        pack.addNetworkDomain("cdn.example");
        pack.setUserAuthentication({ «type: coda.AuthenticationType.HeaderBearerToken» });`,
      change: ["AuthenticationType.HeaderBearerToken", 'AuthenticationType.HeaderBearerToken, networkDomain: "acme.example"'],
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack({ networkDomains: ["example.com"] });
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ «type: coda.AuthenticationType.HeaderBearerToken» });`,
      change: ["AuthenticationType.HeaderBearerToken", 'AuthenticationType.HeaderBearerToken, networkDomain: "example.com"'],
    },
    {
      good: pack`
        pack.addNetworkDomain("example.com", "cdn.example");
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "example.com" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      // Domains in different branches may not be declared together.
      const certain = pack.domains.declared.filter((domain) => !domain.conditional);
      const declared = [...new Set(certain.map((domain) => domain.value))];
      // The author must fill in an empty domain first.
      if (certain.length < 2 || declared.includes("") || pack.partial) return;
      if (!hasCredential(auth.type) || !isAbsent(pack, auth, "networkDomain")) return;
      // The SDK's validator stops at a user authentication without accounts.
      if (pack.auths.some(({ scope, type }) => scope === "user" && type === "None")) return;
      // In the specification, endpointDomain selects the domain; only the installed SDK requires more.
      if (!isAbsent(pack, auth, "endpointDomain") && pack.toolkit === undefined) return;
      const property = propertyOf(auth.config, "networkDomain");
      yield {
        place: headOf(auth),
        message:
          declared.length === 1
            ? `Declare ${String(declared[0])} once, or add networkDomain. The platform counts its ${certain.length} declarations as several domains, and rejects a pack that does not say which of several gets the credentials.`
            : `Add networkDomain. ${declared.length} network domains are declared (${listed(declared)}), and the platform rejects a pack that does not say which get the credentials.`,
        fixes: () => {
          const createEdit = (value: string): TextEdit =>
            property === undefined ? insertProperty(pack, auth.config, `networkDomain: ${value}`) : replace(property.value.place, value);
          const choices = declared
            .slice(0, MOST_LISTED)
            .map((domain) => fix(`Send the credentials to ${domain}`, createEdit(JSON.stringify(domain))));
          // The params may be keys of several services, and each is sent only in requests that have its placeholder.
          const isForAll = auth.type === "Custom" && declared.length > 1 && declared.length <= MOST_LISTED;
          const all = declared.map((domain) => JSON.stringify(domain)).join(", ");
          return isForAll ? [...choices, propose("Send the credentials to all of them", createEdit(`[${all}]`))] : choices;
        },
      };
    },
  },
});

/** The most domains of a list that people read or choose from. */
const MOST_LISTED = 20;

const listed = (domains: readonly string[]): string =>
  domains.slice(0, MOST_LISTED).join(", ") + (domains.length > MOST_LISTED ? ", …" : "");
