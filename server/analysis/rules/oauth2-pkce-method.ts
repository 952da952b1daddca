import { fieldValue, isAbsent, nameOf, propertyOf, propose, type ResolvedAuth } from "../configuration/config.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { oauth2, rule } from "../rule.ts";
import { insertProperty, literalEdits, replace } from "../text/edit.ts";

export default rule({
  id: "oauth2-pkce-method",
  severity: "warning",
  source: "RFC 7636, section 4.2",
  docs: `A \`pkceChallengeMethod\` has no effect, or makes PKCE useless.

Without \`useProofKeyForCodeExchange: true\` there is no PKCE, so the method has no effect. With the method \`plain\` the challenge is the secret itself, and everyone who sees the redirect has both. Use S256, the default, unless the provider supports nothing else.`,
  examples: [
    {
      bad: oauth2`«pkceChallengeMethod»: "S256",`,
      change: ["}", "  useProofKeyForCodeExchange: true,\n}"],
    },
    {
      bad: oauth2`
        useProofKeyForCodeExchange: true,
        «pkceChallengeMethod»: 'plain',`,
      change: ["'plain'", "'S256'"],
      good: ["'plain'", '"S256"'],
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2") return;
      const property = propertyOf(auth.config, "pkceChallengeMethod");
      const method = fieldValue(pack, auth, "pkceChallengeMethod");
      if (property === undefined || method === undefined || method.kind === "undefined") return;
      if (isPkceOff(pack, auth))
        yield {
          place: nameOf(property),
          message: "Set useProofKeyForCodeExchange: true, or remove pkceChallengeMethod. It has no effect while PKCE is off.",
          fixes: () => switchOn(pack, auth),
        };
      else if (method.kind === "string" && method.value === "plain")
        yield {
          place: nameOf(property),
          message:
            "Use S256, unless the provider has nothing else. With plain the challenge is the secret itself, which PKCE must protect (RFC 7636, section 7.2).",
          fixes: () => literalEdits(pack, property.value, "S256").map((edit) => propose("Change to S256", edit)),
        };
    },
  },
});

/** PKCE is off by default, also with dynamic registration. */
function isPkceOff(pack: PackModel, auth: ResolvedAuth): boolean {
  const use = fieldValue(pack, auth, "useProofKeyForCodeExchange");
  return isAbsent(pack, auth, "useProofKeyForCodeExchange") || (use?.kind === "boolean" && !use.value);
}

function switchOn(pack: PackModel, auth: ResolvedAuth): readonly Fix[] {
  const use = propertyOf(auth.config, "useProofKeyForCodeExchange");
  if (use === undefined)
    return [propose("Add useProofKeyForCodeExchange: true", insertProperty(pack, auth.config, "useProofKeyForCodeExchange: true"))];
  return use.value.kind === "reference" ? [] : [propose("Set useProofKeyForCodeExchange to true", replace(use.value.place, "true"))];
}
