import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "length-mismatch",
  docs: `The response is shorter or longer than its Content-Length. Look for the cause at the API, or at a proxy before it.`,
  source: "RFC 9110, section 8.6",
  kind: "length-mismatch",
  says: "api.acme.example sent less, or more, than it announced",
  reason: ({ host }) => `${host} sent less, or more, than it announced`,
  advice: (address) => `Check ${address} and the network.`,
});
