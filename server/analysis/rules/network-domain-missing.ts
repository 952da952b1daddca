import { fieldValue, fix, isAbsent } from "../config.ts";
import { insertStatementBefore } from "../edit.ts";
import type { AuthConfig, PackModel } from "../model.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";
import { knownStart } from "../url-value.ts";

export default rule({
  id: "network-domain-missing",
  severity: "error",
  source: "sdk-facts 2",
  docs: `A pack has authentication and declares no network domain.

Credentials are only sent to declared domains, so none could ever be used, and the platform rejects the pack. Call \`pack.addNetworkDomain\` with the API's domain. Only a pack whose users enter their own endpoint, without \`endpointDomain\`, needs none.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.«setUserAuthentication»({ type: coda.AuthenticationType.HeaderBearerToken });\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async function ([], context) {\n    let response = await context.fetcher.fetch({ method: "GET", url: "https://api.example.com/me" });\n    return response.body.name;\n  },\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async function ([], context) {\n    let response = await context.fetcher.fetch({ method: "GET", url: "https://api.example.com/me" });\n    return response.body.name;\n  },\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nimport { DOMAIN } from "elsewhere";\nexport const pack = coda.newPack();\npack.addNetworkDomain(DOMAIN);\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });\n`,
    },
  ],
  *check(pack) {
    if (pack.partial || pack.domains.any) return;
    for (const auth of pack.auths) {
      if (auth.type === undefined || auth.type === "None" || auth.type === "Various") continue;
      const requires = fieldValue(pack, auth, "requiresEndpointUrl");
      const mayRequire = !isAbsent(pack, auth, "requiresEndpointUrl") && !(requires?.kind === "boolean" && !requires.value);
      if (mayRequire && isAbsent(pack, auth, "endpointDomain")) continue;
      // A field that may stand in a spread may make it legal.
      if (mayRequire && auth.config.open) continue;
      yield {
        place: auth.place,
        message:
          "The pack declares no network domain, so its credentials could go nowhere, and the platform rejects it. Add pack.addNetworkDomain with the API's domain.",
        ...(auth.call?.statement === undefined
          ? {}
          : {
              fixes: () =>
                suggestedDomains(pack, auth).map((domain) =>
                  fix(
                    `Add network domain ${domain}`,
                    insertStatementBefore(
                      pack,
                      { file: auth.place.file, ...(auth.call?.statement ?? auth.place) },
                      `${auth.call?.receiver}.addNetworkDomain(${JSON.stringify(domain)});`,
                    ),
                  ),
                ),
            }),
      };
      return;
    }
  },
});

/** From the URLs that are fetched, then from the OAuth URLs: the part that the platform wants, without `api.` and `www.`. */
function suggestedDomains(pack: PackModel, auth: AuthConfig): readonly string[] {
  const hosts = [
    ...requestsOf(pack).all.flatMap(({ urls }) => urls.flatMap(({ host }) => host ?? [])),
    ...["tokenUrl", "authorizationUrl"].flatMap(
      (name) => /^https:\/\/([a-z0-9.-]+)/i.exec(knownStart(fieldValue(pack, auth, name)) ?? "")?.[1] ?? [],
    ),
  ];
  const shortened = hosts.map((host) => host.replace(/^(?:api|www|app|auth|login|accounts?|oauth2?)\.(?=[^.]+\.)/, ""));
  return [...new Set(shortened)].slice(0, 3);
}
