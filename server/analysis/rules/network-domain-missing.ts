import { hasCredential } from "../../../spec/auth-types.ts";
import { allAuths, fieldValue, isAbsent, isNothing, propertyOf, propose } from "../configuration/config.ts";
import { bareDomain, isPublic, ownDomainOf } from "../domains/hosts.ts";
import { staticPrefix } from "../domains/url-value.ts";
import type { Fix } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import { requestsOf } from "../requests/requests.ts";
import { rule, source } from "../rule.ts";
import { insertProperty, insertStatementBefore, replace } from "../text/edit.ts";

export default rule({
  id: "network-domain-missing",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.8.6",
  source: "sdk-facts 2",
  docs: `A pack has authentication but declares no network domain.

Call \`pack.addNetworkDomain\` with the API's domain. Credentials are sent only to declared domains, so the platform rejects the pack otherwise. Only a pack whose users enter their own endpoint, without \`endpointDomain\`, needs no network domain.`,
  examples: [
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.«setUserAuthentication»({ type: coda.AuthenticationType.HeaderBearerToken });
        formula Me {
          let response = await context.fetcher.fetch({ method: "GET", url: "https://api.example.com/me" });
          return response.body.name;
        }`,
      change: ["pack.setUserAuthentication", 'pack.addNetworkDomain("example.com");\npack.setUserAuthentication'],
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack({
          «defaultAuthentication»: { type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" },
        });`,
      change: ["defaultAuthentication", 'networkDomains: ["acme.example"],\n  defaultAuthentication'],
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack().«setUserAuthentication»({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, endpointDomain: "example.com" });`,
      change: ["setUserAuthentication", 'addNetworkDomain("example.com").setUserAuthentication'],
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { DOMAIN } from "elsewhere";
        export const pack = coda.newPack();
        pack.addNetworkDomain(DOMAIN);
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });`,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });`,
    },
  ],
  on: {
    *pack(pack) {
      if (pack.partial || pack.domains.any) return;
      for (const auth of allAuths(pack)) {
        if (auth.type === undefined || !hasCredential(auth.type)) continue;
        const requires = fieldValue(pack, auth, "requiresEndpointUrl");
        const mayRequire = !isAbsent(pack, auth, "requiresEndpointUrl") && !(requires?.kind === "boolean" && !requires.value);
        const endpoint = fieldValue(pack, auth, "endpointDomain");
        const isAnyEndpoint = isAbsent(pack, auth, "endpointDomain") || (endpoint !== undefined && isNothing(endpoint));
        if (mayRequire && isAnyEndpoint) continue;
        // A spread may contain a field that makes this legal.
        if (mayRequire && auth.config.open) continue;
        yield {
          place: auth.place,
          message:
            "Add pack.addNetworkDomain with the API's domain. Without it the pack cannot send its credentials, and the platform rejects it.",
          fixes: () => suggestedDomains(pack, auth).flatMap((domain) => declaration(pack, auth, domain)),
        };
        return;
      }
    },
  },
});

/** Declares the domain in a call before the setter, in the setter's chain, or in the argument of newPack. */
function declaration(pack: PackModel, auth: AuthConfig, domain: string): readonly Fix[] {
  const { call, definition } = auth;
  const title = `Add network domain ${domain}`;
  const text = JSON.stringify(domain);
  if (definition !== undefined) {
    const property = propertyOf(definition, "networkDomains");
    const edit =
      property === undefined
        ? insertProperty(pack, definition, `networkDomains: [${text}]`, { first: true })
        : property.value.kind === "array"
          ? replace(property.value.place, `[${text}]`)
          : undefined;
    return edit === undefined ? [] : [propose(title, edit)];
  }
  if (call?.statement !== undefined)
    return [propose(title, insertStatementBefore(pack, call.statement, `${call.receiver}.addNetworkDomain(${text});`))];
  if (call === undefined || pack.text(call.place.file)[call.nameSpan.start - 1] !== ".") return [];
  return [
    propose(title, replace({ file: call.place.file, start: call.nameSpan.start, end: call.nameSpan.start }, `addNetworkDomain(${text}).`)),
  ];
}

/** Returns the endpoint's domain and those of requests, then those of the OAuth URLs. */
function suggestedDomains(pack: PackModel, auth: AuthConfig): readonly string[] {
  const endpoint = fieldValue(pack, auth, "endpointDomain");
  const hosts = [
    ...[(endpoint?.kind === "string" ? bareDomain(endpoint.value) : undefined) ?? []].flat(),
    ...requestsOf(pack).all.flatMap(({ urls }) => urls.flatMap(({ host }) => (host === undefined ? [] : ownDomainOf(host)))),
    ...["tokenUrl", "authorizationUrl"].flatMap((name) => {
      const host = /^https:\/\/([a-z0-9.-]+)/i.exec(staticPrefix(fieldValue(pack, auth, name)) ?? "")?.[1];
      return host === undefined ? [] : ownDomainOf(host.toLowerCase());
    }),
  ];
  return [...new Set(hosts)].filter(isPublic).slice(0, 3);
}
