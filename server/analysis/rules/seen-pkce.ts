import { propertyOf, removal } from "../configuration/config.ts";
import { fieldPlace, unsuitedField } from "../configuration/observation.ts";
import { oauth2, observationRule } from "../rule.ts";

export default observationRule({
  id: "seen-pkce",
  severity: "warning",
  docs: `The provider demanded or refused PKCE, and \`useProofKeyForCodeExchange\` says otherwise.

A sign-in showed this. PKCE (RFC 7636) binds the authorization code to the application that asked for it. The platform uses it only if \`useProofKeyForCodeExchange\` is true.`,
  examples: [
    { bad: oauth2`«type»`, evidence: { code: "pkce", names: ["required"] }, fixed: oauth2`useProofKeyForCodeExchange: true,` },
    { bad: oauth2`«useProofKeyForCodeExchange»: true,`, evidence: { code: "pkce", names: ["refused"] }, fixed: oauth2`` },
    { good: oauth2`useProofKeyForCodeExchange: true,` },
  ],
  reports: {
    *pkce(pack, auth, [demand]) {
      if (demand === "required") yield unsuitedField(pack, auth, FIELD, "true", `Set ${FIELD} to true. The provider demands PKCE.`, "true");
      const property = propertyOf(auth.config, FIELD);
      if (demand === "refused" && property !== undefined)
        yield {
          place: fieldPlace(auth, FIELD),
          message: `Remove ${FIELD}. The provider refuses PKCE.`,
          fixes: () => removal(pack, auth.config, property),
        };
    },
  },
});

const FIELD = "useProofKeyForCodeExchange";
