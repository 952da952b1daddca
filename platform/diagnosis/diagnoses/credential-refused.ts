import { diagnosis } from "../diagnosis.ts";
import { refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "credential-refused",
  docs: `The API does not accept the credential for this request, and does not say why. Sign in again with a valid one, or with one that has the right for it. Or compare the configuration with the API's documentation: the header or parameter, the prefix, and the host.`,
  source: "RFC 9110, section 15.5.2",
  isGeneral: true,
  examples: [
    { auth: { type: "HeaderBearerToken" }, exchange: "401", says: "Use a valid one" },
    { auth: { type: "HeaderBearerToken" }, exchange: "403", silent: true },
  ],
  when(failure) {
    if (refusedStatus(failure) !== 401) return undefined;
    return {
      reason: "the API does not accept the credential for this request",
      advice: `Use a valid one, or one that has the right for it. Or compare with the API's documentation where the configuration puts it: header, query parameter, prefix, host.${failure.auth.type === "WebBasic" ? " Some APIs take an API token in place of the password." : ""}`,
      nextStep: { do: "replaceCredential" },
    };
  },
});
