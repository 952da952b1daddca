import { oauthAuths } from "../authorization-request.ts";
import { fieldValue, fix } from "../config.ts";
import { isWithin, removeItem } from "../edit.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "oauth2-scope-duplicate",
  severity: "warning",
  source: "auth-spec 2.3",
  docs: `The same scope stands in \`scopes\` twice.

It is sent twice, and some providers refuse a request with a scope that is repeated. Remove one.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read", "write", «"read"»],\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read", "write"],\n});\n`,
    },
    {
      bad: `const READ = "read";\nimport * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: [\n    READ,\n    «"read"», // again\n    "write",\n  ],\n});\n`,
      fixed: `const READ = "read";\nimport * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: [\n    READ,\n    "write",\n  ],\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  scopes: ["read", "Read", "read:all"],\n});\n`,
    },
  ],
  types: ["OAuth2", "OAuth2ClientCredentials"],
  fields: ["scopes"],
  *check(pack) {
    for (const auth of oauthAuths(pack)) {
      const scopes = fieldValue(pack, auth, "scopes");
      const seen = new Set<string>();
      for (const item of scopes?.kind === "array" ? scopes.items : []) {
        const scope = pack.resolve(item);
        if (scope.kind !== "string" || scope.value.trim() === "") continue;
        if (seen.has(scope.value) && scopes !== undefined)
          yield {
            place: item,
            message: `The scope ${scope.value} is listed already, and would be sent twice. Remove one.`,
            // One that is spread in from elsewhere may be used there.
            fixes: () => (isWithin(item, scopes) ? [fix(`Remove the second ${scope.value}`, removeItem(pack, scopes, item))] : []),
          };
        seen.add(scope.value);
      }
    }
  },
});
