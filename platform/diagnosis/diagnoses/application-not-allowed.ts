import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";
import { refusesClient } from "../oauth-facts.ts";

export default diagnosis({
  id: "application-not-allowed",
  docs: `The provider knows the application and does not let it have a token. Nobody is asked in a browser at this step, so a new sign-in gives the same answer. Allow the application, its grant or its API in the provider's developer settings, or ask the provider's administrator to do so.`,
  source: "RFC 6749, section 5.2, and providers that send access_denied from the token endpoint",
  examples: [
    {
      phase: "client-credentials",
      exchange: '403 {"error":"access_denied","error_description":"Client is not authorized to access the API"}',
      says: "the provider does not allow this to the application",
    },
    { phase: "authorization", exchange: "error=access_denied", silent: true },
  ],
  when(failure) {
    const code = codeOf(failure) ?? "";
    if (!asksToken(failure) || refusesClient(failure) || !(code === "access_denied" || code === "insufficient_scope")) return undefined;
    return {
      reason: "the provider does not allow this to the application",
      advice:
        "Read the provider's answer. Allow the application to use this API and these scopes in the provider's developer settings, or ask its administrator.",
    };
  },
});
