import { headOf, isAbsent, knownAuths, mayBeTrue, propertyOf, propose } from "../config.ts";
import { insertProperty, quoteIn, replace } from "../edit.ts";
import { rule } from "../rule.ts";
import { suggestedUrl } from "../suggested-url.ts";

export default rule({
  id: "oauth2-missing-authorization-url",
  severity: "error",
  source: "auth-spec 5.5.1",
  docs: `An OAuth2 configuration has no \`authorizationUrl\`.

It is where the user is sent to sign in. TypeScript accepts it absent, because it is optional with \`useDynamicClientRegistration\`; without that, the platform rejects the pack. Add the URL from the provider's documentation.`,
  supersedes: ["field-missing", "field-empty"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  «type: coda.AuthenticationType.OAuth2»,\n  tokenUrl: "https://login.acme.example/token",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  tokenUrl: "https://login.acme.example/token",\n  authorizationUrl: "https://login.acme.example/authorize",\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, useDynamicClientRegistration: true });\n`,
    },
  ],
  types: ["OAuth2"],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      if (auth.type !== "OAuth2" || !isAbsent(pack, auth, "authorizationUrl") || mayBeTrue(pack, auth, "useDynamicClientRegistration"))
        continue;
      const property = propertyOf(auth.config, "authorizationUrl");
      yield {
        place: headOf(auth),
        message:
          "OAuth2 needs authorizationUrl, where the user is sent to sign in; the platform rejects the pack without it. Add it, or set useDynamicClientRegistration: true.",
        fixes: () => {
          const url = quoteIn(pack, auth.config, suggestedUrl(pack, auth, "authorizationUrl"));
          return [
            property === undefined
              ? propose("Add authorizationUrl", insertProperty(pack, auth.config, `authorizationUrl: ${url}`))
              : propose("Give authorizationUrl a value", replace(property.value, url)),
          ];
        },
      };
    }
  },
});
