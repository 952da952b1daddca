import { diagnosis, http } from "../diagnosis.ts";
import { refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "accepted-credential-refused",
  docs: `The API refused a credential that it accepted earlier in the same run. So the credential, its prefix and its place are right. Look at what differs in this request: its path, its method, or the right that it needs.`,
  source: "RFC 9110, section 15.5.2",
  examples: [
    {
      auth: { type: "HeaderBearerToken" },
      account: { wasAccepted: true },
      exchange: http`
      GET https://api.acme.example/admin
      authorization: Bearer ••••

      401`,
      says: "accepted the same credential before",
    },
    {
      auth: { type: "HeaderBearerToken" },
      exchange: http`
      GET https://api.acme.example/admin
      authorization: Bearer ••••

      401`,
      silent: true,
    },
  ],
  fits: (failure) => refusedStatus(failure) === 401 && failure.account?.wasAccepted === true,
  cause: {
    reason: `the API refused this request, and accepted the same credential before`,
    advice: "Compare this request with the API's documentation: its path, its method, and the right that it needs.",
  },
});
