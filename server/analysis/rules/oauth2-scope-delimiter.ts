import { type ProviderFacts, providersOfHost } from "../../../spec/providers.ts";
import { oauthAuths } from "../authorization-request.ts";
import { fieldValue, fix, type KnownAuth, propertyOf } from "../config.ts";
import { quoteLike, replace } from "../edit.ts";
import type { PackModel } from "../model.ts";
import { rule } from "../rule.ts";
import { hostOf, knownText } from "../url-value.ts";

export default rule({
  id: "oauth2-scope-delimiter",
  severity: "error",
  source: "auth-spec 2.3",
  docs: `A \`scopeDelimiter\` is none that the platform can join scopes with.

There are three: a blank (the default, and the standard's), a comma and a semicolon. The platform rejects anything else. A \`+\` in a provider's documentation is an encoded blank.`,
  supersedes: ["field-type"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read", "write"],\n  scopeDelimiter: «", "»,\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read", "write"],\n  scopeDelimiter: ",",\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read", "write"],\n  scopeDelimiter: «'+'»,\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read", "write"],\n  scopeDelimiter: ' ',\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read", "write"],\n  scopeDelimiter: ";",\n});\n`,
    },
  ],
  types: ["OAuth2", "OAuth2ClientCredentials"],
  fields: ["scopeDelimiter"],
  *check(pack) {
    for (const auth of oauthAuths(pack)) {
      const given = propertyOf(auth.config, "scopeDelimiter")?.value;
      const value = fieldValue(pack, auth, "scopeDelimiter");
      if (given === undefined || value?.kind !== "string" || DELIMITERS.includes(value.value)) continue;
      yield {
        place: given,
        message: `The platform joins scopes by a blank, a comma or a semicolon, and rejects ${JSON.stringify(value.value)}. Take the one of the three that the provider's documentation shows.`,
        fixes: () =>
          given.kind === "string"
            ? inOrder(pack, auth, value.value).map((delimiter) =>
                fix(`Change to ${NAMES[delimiter]}`, replace(given, quoteLike(pack, given, delimiter))),
              )
            : [],
      };
    }
  },
});

const NAMES: Readonly<Record<string, string>> = { " ": "a blank", ",": "a comma", ";": "a semicolon" };
const DELIMITERS = Object.keys(NAMES);

/** First the one that is meant, or that the provider is known to take. */
function inOrder(pack: PackModel, auth: KnownAuth, wrong: string): readonly string[] {
  const meant = /^\s*([,;])\s*$/.exec(wrong)?.[1] ?? known(pack, auth)?.scopeDelimiter ?? " ";
  return [meant, ...DELIMITERS.filter((delimiter) => delimiter !== meant)];
}

function known(pack: PackModel, auth: KnownAuth): ProviderFacts | undefined {
  const host = hostOf(knownText(fieldValue(pack, auth, "authorizationUrl")) ?? "");
  return host === undefined ? undefined : providersOfHost(host).find(({ scopeDelimiter }) => scopeDelimiter !== undefined);
}
