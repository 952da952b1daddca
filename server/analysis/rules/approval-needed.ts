import { providersOfHost } from "../../../spec/providers.ts";
import { fieldValue, propertyOf } from "../configuration/config.ts";
import { hostOf, staticText } from "../domains/url-value.ts";
import { pack, rule, user } from "../rule.ts";

export default rule({
  id: "approval-needed",
  severity: "information",
  verdict: "needs-approval",
  source: "the SDK's support page",
  docs: `The platform has to approve this before the pack can be uploaded.

Approval is needed for several network domains, for OAuth 2.0 URLs on two domains, and for \`Custom\` authentication. Ask for it at https://docs.superhuman.com/form/Pack-Network-Domains-Request_ddvuAhFq3IZ, signed in as the pack's developer, or change the pack. Once it is granted, switch this rule off for the pack.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({ type: «coda.AuthenticationType.Custom», params: [{ name: "key", description: "Your key." }] });
        formula Read {
          await context.fetcher.fetch({ method: "GET", url: "https://acme.example/?key={{key-" + context.invocationToken + "}}" });
          return "";
        }`,
    },
    {
      bad: pack`
        pack.addNetworkDomain("acme.example");
        pack.addNetworkDomain(«"cdn.example"»);
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "acme.example" });`,
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/authorize",
        tokenUrl: «"https://tokens.acme-sso.example/token"»,`,
      good: ["tokens.acme-sso.example", "api.acme.example"],
    },
  ],
  on: {
    *pack(model) {
      // Domains in different branches may not be declared together.
      const certain = model.domains.declared.filter(({ conditional }) => !conditional);
      const other = certain.find(({ value }) => value !== certain[0]?.value);
      if (other !== undefined && !model.partial)
        yield {
          place: other.expression.place,
          message: `Ask the platform to approve several network domains, or declare one only. ${WHEN}`,
        };
    },
    *auth(model, auth) {
      const type = auth.type === "Custom" ? auth.typeProperty : undefined;
      if (type !== undefined)
        yield { place: type.value.place, message: `Ask the platform to approve Custom authentication, or use another type. ${WHEN}` };
      const tokenUrl = propertyOf(auth.config, "tokenUrl");
      if (auth.type !== "OAuth2" || tokenUrl === undefined) return;
      const hosts = ["authorizationUrl", "tokenUrl"].map((name) => hostOf(staticText(fieldValue(model, auth, name)) ?? ""));
      if (hosts[0] !== undefined && hosts[1] !== undefined && areApart(hosts[0], hosts[1]))
        yield { place: tokenUrl.value.place, message: `Ask the platform to approve OAuth URLs on two domains. ${WHEN}` };
    },
  },
});

const WHEN = "It refuses the upload until then.";

/**
 * Returns whether the hosts have different registrable domains and no known provider in common. The SDK's own samples sign in at two domains
 * of Google without a remark.
 */
function areApart(one: string, other: string): boolean {
  const top = (host: string): string => host.split(".").slice(-2).join(".");
  const providers = new Set(providersOfHost(one).map(({ id }) => id));
  return top(one) !== top(other) && !providersOfHost(other).some(({ id }) => providers.has(id));
}
