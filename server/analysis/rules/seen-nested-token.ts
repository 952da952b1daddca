import { unsuitedField } from "../configuration/observation.ts";
import { oauth2, observationRule, user } from "../rule.ts";

export default observationRule({
  id: "seen-nested-token",
  severity: "warning",
  docs: `The token response contained the access token in an object that \`nestedResponseKey\` does not name.

A sign-in showed this. The platform reads \`access_token\` from the response itself, or from the object that \`nestedResponseKey\` names. Set it, and sign in again.`,
  examples: [
    { bad: oauth2`«type»`, evidence: { code: "nested-token", names: ["authed_user"] }, fixed: oauth2`nestedResponseKey: "authed_user",` },
    {
      bad: oauth2`«nestedResponseKey»: "user",`,
      evidence: { code: "nested-token", names: ["authed_user"] },
      fixed: oauth2`nestedResponseKey: "authed_user",`,
    },
    { good: user`type: coda.AuthenticationType.HeaderBearerToken,` },
  ],
  reports: {
    *"nested-token"(pack, auth, [key]) {
      if (key === undefined) return;
      const message = `Set nestedResponseKey to ${JSON.stringify(key)}. The access token is in that object of the token response.`;
      yield unsuitedField(pack, auth, "nestedResponseKey", key, message);
    },
  },
});
