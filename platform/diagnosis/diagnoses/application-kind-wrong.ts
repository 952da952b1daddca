import { providerErrorMeaning } from "../../../spec/provider-errors.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { descriptionOf } from "../facts.ts";

export default diagnosis({
  id: "application-kind-wrong",
  docs: `The redirect address is registered for another kind of application. The platform signs in from a server, so the address must be registered for a web application. One for a single-page or desktop application is refused. No field of the configuration is to blame.`,
  source: "spec/provider-errors.ts",
  examples: [
    {
      phase: "code",
      exchange: http`
      POST https://id.acme.example/token

      400

      {"error":"invalid_request","error_description":"AADSTS9002327: Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests."}`,
      says: "Register the redirect address as that of a web application",
    },
    {
      phase: "code",
      exchange: http`
      POST https://id.acme.example/token

      400

      {"error":"invalid_request","error_description":"grant_type is missing"}`,
      silent: true,
    },
  ],
  when(failure) {
    if (providerErrorMeaning(`${failure.providerError?.code ?? ""} ${descriptionOf(failure)}`) !== "application-kind") return undefined;
    return {
      reason: "the redirect address is registered there for another kind of application",
      advice: "Register the redirect address as that of a web application (platform Web), and sign in again.",
    };
  },
});
