import { unsuitedField } from "../configuration/observation.ts";
import { enumText } from "../configuration/starter-values.ts";
import { oauth2, observationRule } from "../rule.ts";

export default observationRule({
  id: "seen-client-authentication",
  severity: "information",
  docs: `The token endpoint took the client secret in one place only, and \`credentialsLocation\` does not say so.

A sign-in showed this. The endpoint refused the secret in the form body and took it in the Authorization header, or the other way round. Set \`credentialsLocation\`. Without it every sign-in begins with an attempt that fails. With some providers that attempt also makes the code invalid.`,
  examples: [
    {
      bad: oauth2`«type»`,
      evidence: { code: "client-authentication", names: ["AuthorizationHeader"] },
      fixed: oauth2`credentialsLocation: coda.TokenExchangeCredentialsLocation.AuthorizationHeader,`,
    },
    { good: oauth2`credentialsLocation: coda.TokenExchangeCredentialsLocation.AuthorizationHeader,` },
  ],
  reports: {
    *"client-authentication"(pack, auth, [location]) {
      if (location !== "AuthorizationHeader" && location !== "Body") return;
      const [rejectedPlace, acceptedPlace] =
        location === "Body" ? ["in the Authorization header", "in the form body"] : ["in the form body", "in the Authorization header"];
      const member = enumText(pack, auth.config.place.file, "TokenExchangeCredentialsLocation", location);
      const message = `Set credentialsLocation to ${location}. The token endpoint refused the client secret ${rejectedPlace} and took it ${acceptedPlace}.`;
      yield unsuitedField(pack, auth, "credentialsLocation", location, message, member);
    },
  },
});
