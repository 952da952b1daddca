import { oauthAuths } from "../authorization-request.ts";
import { fieldValue, fix, isAbsent, type KnownAuth } from "../config.ts";
import { quoteLike, replace } from "../edit.ts";
import type { PackModel } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "oauth2-scope-joined",
  severity: "warning",
  source: "auth-spec 2.3",
  docs: `One entry of \`scopes\` holds several scopes.

\`scopes\` is a list of single scopes, which the platform joins with the delimiter. A joined entry comes out the same until the delimiter changes, and neither a scope that is missing nor one that is there twice can be seen in it. Make each scope an entry of its own.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["profile", «"read write"»],\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["profile", "read", "write"],\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopeDelimiter: ",",\n  scopes: [\n    «'read,write'»,\n  ],\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopeDelimiter: ",",\n  scopes: [\n    'read', 'write',\n  ],\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read,write", "https://acme.example/auth;v=1"],\n});\n`,
    },
  ],
  types: ["OAuth2", "OAuth2ClientCredentials"],
  fields: ["scopes"],
  *check(pack) {
    for (const auth of oauthAuths(pack)) {
      const delimiter = delimiterOf(pack, auth);
      const scopes = fieldValue(pack, auth, "scopes");
      if (delimiter === undefined || scopes?.kind !== "array") continue;
      for (const item of scopes.items) {
        const scope = pack.resolve(item);
        const parts = scope.kind === "string" ? scope.value.split(delimiter).flatMap((part) => part.trim() || []) : [];
        if (parts.length < 2) continue;
        yield {
          place: item,
          message: `This entry holds ${parts.length} scopes, and joining them is the platform's task: with another delimiter, the provider would see one scope that it does not know. Make each an entry of its own.`,
          fixes: () =>
            item.kind === "string"
              ? [fix("Split into single scopes", replace(item, parts.map((part) => quoteLike(pack, item, part)).join(", ")))]
              : [],
        };
      }
    }
  },
});

/** The delimiter in force; undefined where that is not known. */
function delimiterOf(pack: PackModel, auth: KnownAuth): string | undefined {
  if (isAbsent(pack, auth, "scopeDelimiter")) return " ";
  const value = fieldValue(pack, auth, "scopeDelimiter");
  return value?.kind === "string" && [" ", ",", ";"].includes(value.value) ? value.value : undefined;
}
