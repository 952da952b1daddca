import { withoutStop } from "../facts.ts";
import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "request-refused-here",
  docs: `Pack Auth did not send the request. The message says why. In the editor, a provider in a private network is reached where authorizationUrl and tokenUrl name its host.`,
  source: "docs/security.md",
  kind: "refused-here",
  detail: "Not sent: the address is private.",
  says: "Not sent: the address is private",
  reason: ({ detail }) => withoutStop(detail),
  advice: (address) =>
    `Check ${address}. Here, a provider in a private network is reached where authorizationUrl and tokenUrl name its host.`,
});
