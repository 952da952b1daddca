import { headOf, isAbsent, knownAuths, mayBeTrue, propertyOf, propose } from "../config.ts";
import { insertProperty, quoteIn, replace } from "../edit.ts";
import { rule } from "../rule.ts";
import { suggestedUrl } from "../suggested-url.ts";

export default rule({
  id: "oauth2-missing-token-url",
  severity: "error",
  source: "auth-spec 5.5.1",
  docs: `An OAuth configuration has no \`tokenUrl\`.

It is where the platform exchanges the code for a token. TypeScript accepts it absent, because it is optional with \`useDynamicClientRegistration\`; without that, the platform rejects the pack. Add the URL from the provider's documentation.`,
  supersedes: ["field-missing", "field-empty"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  «type: coda.AuthenticationType.OAuth2»,\n  authorizationUrl: "https://login.acme.example/authorize",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setSystemAuthentication({ «type: coda.AuthenticationType.OAuth2ClientCredentials» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://acme.example/oauth/token" });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: true });\n`,
    },
  ],
  types: ["OAuth2", "OAuth2ClientCredentials"],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      if (auth.type !== "OAuth2" && auth.type !== "OAuth2ClientCredentials") continue;
      if (!isAbsent(pack, auth, "tokenUrl") || mayBeTrue(pack, auth, "useDynamicClientRegistration")) continue;
      const property = propertyOf(auth.config, "tokenUrl");
      yield {
        place: headOf(auth),
        message: `${auth.type} needs tokenUrl, where the platform gets the access token; it rejects the pack without it. Add it${auth.type === "OAuth2" ? ", or set useDynamicClientRegistration: true" : ""}.`,
        fixes: () => {
          const url = quoteIn(pack, auth.config, suggestedUrl(pack, auth, "tokenUrl"));
          return [
            property === undefined
              ? propose("Add tokenUrl", insertProperty(pack, auth.config, `tokenUrl: ${url}`))
              : propose("Give tokenUrl a value", replace(property.value, url)),
          ];
        },
      };
    }
  },
});
