import { AUTH_TYPES } from "../../../spec/auth-types.ts";
import { fix, headOf, knownAuths } from "../config.ts";
import { replace } from "../edit.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "auth-type-not-allowed",
  severity: "error",
  source: "sdk-facts 1",
  docs: `\`setSystemAuthentication\` is given a type that it does not take.

Types in which a person signs in, such as OAuth2, cannot be shared by all users; the platform rejects the pack. Use \`setUserAuthentication\`, or a type such as OAuth2ClientCredentials. Without an installed toolkit this is a warning: the specification does not forbid it.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setSystemAuthentication({ «type: coda.AuthenticationType.OAuth2», authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });\n`,
      toolkit: "installed",
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      const systemTypes = pack.toolkit?.systemTypes;
      const isAllowed = AUTH_TYPES[auth.type].system || systemTypes?.has(auth.type) === true;
      if (auth.scope !== "system" || isAllowed) continue;
      const hasUser = pack.auths.some((other) => other.scope === "user");
      yield {
        place: headOf(auth),
        severity: pack.toolkit === undefined ? "warning" : "error",
        message: `setSystemAuthentication does not take ${auth.type}, and the platform rejects the pack. Use setUserAuthentication, or another type.`,
        ...(auth.call === undefined || hasUser
          ? {}
          : { fixes: () => [fix("Change to setUserAuthentication", replace(auth.place, "setUserAuthentication"))] }),
      };
    }
  },
});
