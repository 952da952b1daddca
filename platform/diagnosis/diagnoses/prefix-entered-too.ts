import { diagnosis, http } from "../diagnosis.ts";
import { refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "prefix-entered-too",
  docs: `The credential was sent with its prefix twice. Documentation shows \`Authorization: Bearer …\`, and the whole of it was entered. Sign in again, and enter the credential without the prefix.`,
  source: "RFC 6750, section 2.1",
  examples: [
    {
      auth: { type: "HeaderBearerToken" },
      exchange: http`
      GET https://api.acme.example/me
      authorization: Bearer Bearer ••••

      401`,
      says: "enter the credential without Bearer",
    },
    { auth: { type: "OAuth2" }, exchange: "401", silent: true },
  ],
  when(failure) {
    const repeated = failure.exchange?.credentials.find(({ repeats }) => repeats !== undefined)?.repeats;
    if (repeated === undefined || refusedStatus(failure) !== 401) return undefined;
    return {
      reason: `the credential was sent with the prefix ${repeated} twice`,
      advice: `Sign in again, and enter the credential without ${repeated}.`,
    };
  },
});
