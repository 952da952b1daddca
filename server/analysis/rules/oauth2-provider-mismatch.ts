import { type ProviderFacts, providersOfHost, SAME_HOUSE } from "../../../spec/providers.ts";
import { codeAuths } from "../authorization-request.ts";
import { fieldValue, propertyOf } from "../config.ts";
import { keptByText } from "../kept-by-text.ts";
import { rule } from "../rule.ts";
import { hostOf, knownText } from "../url-value.ts";

export default rule({
  id: "oauth2-provider-mismatch",
  severity: "information",
  source: "the provider catalogue",
  docs: `\`authorizationUrl\` and \`tokenUrl\` belong to two different providers.

A code of one provider cannot be exchanged at another, so this is most often a URL that was copied from elsewhere. Only providers that are known are compared: two domains alone say nothing, since many providers use several.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://github.com/login/oauth/authorize",\n  tokenUrl: «"https://gitlab.com/oauth/token"»,\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",\n  tokenUrl: "https://oauth2.googleapis.com/token",\n  additionalParams: { access_type: "offline", prompt: "consent" },\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://github.com/login/oauth/authorize",\n  tokenUrl: "https://tokens.acme.example/github",\n});\n`,
    },
  ],
  types: ["OAuth2"],
  fields: ["tokenUrl"],
  *check(pack) {
    for (const auth of codeAuths(pack)) {
      const property = propertyOf(auth.config, "tokenUrl");
      const hosts = ["authorizationUrl", "tokenUrl"].map((name) => hostOf(knownText(fieldValue(pack, auth, name)) ?? ""));
      const [signIn, token] = hosts.map((host) => (host === undefined ? [] : providers(host)));
      const [one] = signIn ?? [];
      const [other] = token ?? [];
      if (property === undefined || one === undefined || other === undefined || areRelated(signIn ?? [], token ?? [])) continue;
      yield {
        place: property.value,
        message: `Users sign in at ${one.title}, and this is the token URL of ${other.title}: a code of the one cannot be exchanged at the other. ${one.title}'s is ${one.tokenUrl}.`,
      };
    }
  },
});

const providers = keptByText(providersOfHost);

/** A provider of one list is one of the other, or of the same house. */
function areRelated(some: readonly ProviderFacts[], others: readonly ProviderFacts[]): boolean {
  return some.some((a) => others.some((b) => a.id === b.id || SAME_HOUSE.some((house) => house.includes(a.id) && house.includes(b.id))));
}
