import { oauthAuths } from "../authorization-request.ts";
import { fieldValue, type KnownAuth, nameOf, propertyOf, removal } from "../config.ts";
import type { PackModel } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "oauth2-token-carrier",
  severity: "warning",
  source: "auth-spec 2.3",
  docs: `\`tokenPrefix\` stands beside \`tokenQueryParam\`.

With \`tokenQueryParam\` the token goes into the URL's query and there is no Authorization header for the prefix to stand in: it has no effect. Remove the prefix, or \`tokenQueryParam\` where the API takes the header (which keeps tokens out of logs).`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  «tokenPrefix»: "Token",\n  tokenQueryParam: "access_token",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  tokenQueryParam: "access_token",\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  tokenPrefix: "Token",\n});\n`,
    },
  ],
  types: ["OAuth2", "OAuth2ClientCredentials"],
  fields: ["tokenPrefix"],
  *check(pack) {
    for (const auth of oauthAuths(pack)) {
      const prefix = propertyOf(auth.config, "tokenPrefix");
      if (prefix === undefined || !isSet(pack, auth, "tokenPrefix") || !isSet(pack, auth, "tokenQueryParam")) continue;
      yield {
        place: nameOf(prefix),
        message:
          "tokenQueryParam puts the token into the URL, so there is no header for tokenPrefix to stand in: the prefix has no effect. Remove one of the two.",
        fixes: () => removal(pack, auth.config, prefix),
      };
    }
  },
});

/** Known to be a text with something in it: an empty one is the same as none. */
function isSet(pack: PackModel, auth: KnownAuth, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  return value?.kind === "template" || (value?.kind === "string" && value.value !== "");
}
