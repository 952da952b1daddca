import { fix, isAbsent, isTrue, nameOf, propertyOf } from "../configuration/config.ts";
import { rule, user } from "../rule.ts";
import { insertProperty } from "../text/edit.ts";

export default rule({
  id: "registration-without-pkce",
  severity: "information",
  source: "the SDK's OAuth guide",
  docs: `A client that is registered dynamically signs in without PKCE.

Set \`useProofKeyForCodeExchange: true\`. MCP servers demand PKCE (RFC 7636), and so do most other servers that register clients.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        «useDynamicClientRegistration»: true,`,
      change: ["true", "true,\n  useProofKeyForCodeExchange: true"],
      good: ["true", "true,\n  useProofKeyForCodeExchange: true"],
    },
  ],
  on: {
    *auth(pack, auth) {
      const property = propertyOf(auth.config, "useDynamicClientRegistration");
      if (auth.type !== "OAuth2" || property === undefined || !isTrue(pack, auth, "useDynamicClientRegistration")) return;
      if (!isAbsent(pack, auth, "useProofKeyForCodeExchange") || propertyOf(auth.config, "useProofKeyForCodeExchange") !== undefined)
        return;
      yield {
        place: nameOf(property),
        message: "Set useProofKeyForCodeExchange to true. Servers that register clients mostly demand PKCE.",
        fixes: () => [fix("Add useProofKeyForCodeExchange", insertProperty(pack, auth.config, "useProofKeyForCodeExchange: true"))],
      };
    },
  },
});
