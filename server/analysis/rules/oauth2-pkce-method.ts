import { codeAuths } from "../authorization-request.ts";
import { fieldValue, isAbsent, type KnownAuth, nameOf, propertyOf, propose } from "../config.ts";
import { insertProperty, quoteLike, replace } from "../edit.ts";
import type { Fix, PackModel } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "oauth2-pkce-method",
  severity: "warning",
  source: "RFC 7636, section 4.2",
  docs: `A \`pkceChallengeMethod\` has no effect, or gives PKCE's protection away.

Without \`useProofKeyForCodeExchange: true\` there is no challenge to make. With the method \`plain\` the challenge is the secret itself: who sees the redirect has both. Take S256, the default, unless the provider has nothing else.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  «pkceChallengeMethod»: "S256",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  pkceChallengeMethod: "S256",\n  useProofKeyForCodeExchange: true,\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  useProofKeyForCodeExchange: true,\n  «pkceChallengeMethod»: 'plain',\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  useProofKeyForCodeExchange: true,\n  pkceChallengeMethod: 'S256',\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  useProofKeyForCodeExchange: true,\n  pkceChallengeMethod: "S256",\n});\n`,
    },
  ],
  types: ["OAuth2"],
  fields: ["pkceChallengeMethod"],
  *check(pack) {
    for (const auth of codeAuths(pack)) {
      const property = propertyOf(auth.config, "pkceChallengeMethod");
      const method = fieldValue(pack, auth, "pkceChallengeMethod");
      if (property === undefined || method === undefined || method.kind === "undefined") continue;
      if (isKnownOff(pack, auth))
        yield {
          place: nameOf(property),
          message: "pkceChallengeMethod has no effect: PKCE is off. Set useProofKeyForCodeExchange: true, or remove the method.",
          fixes: () => switchOn(pack, auth),
        };
      else if (method.kind === "string" && method.value === "plain")
        yield {
          place: nameOf(property),
          message:
            "With the method plain the challenge is the secret itself, which is what PKCE is to protect (RFC 7636, section 7.2). Take S256, unless the provider has nothing else.",
          fixes: () =>
            property.value.kind === "string"
              ? [propose("Change to S256", replace(property.value, quoteLike(pack, property.value, "S256")))]
              : [],
        };
    }
  },
});

/** By default it is off, with dynamic registration too. */
function isKnownOff(pack: PackModel, auth: KnownAuth): boolean {
  const use = fieldValue(pack, auth, "useProofKeyForCodeExchange");
  return isAbsent(pack, auth, "useProofKeyForCodeExchange") || (use?.kind === "boolean" && !use.value);
}

function switchOn(pack: PackModel, auth: KnownAuth): readonly Fix[] {
  const use = propertyOf(auth.config, "useProofKeyForCodeExchange");
  if (use === undefined)
    return [propose("Add useProofKeyForCodeExchange: true", insertProperty(pack, auth.config, "useProofKeyForCodeExchange: true"))];
  return use.value.kind === "reference" ? [] : [propose("Set useProofKeyForCodeExchange to true", replace(use.value, "true"))];
}
