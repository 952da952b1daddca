import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "headers-too-large",
  docs: `The headers of the response are larger than an HTTP client reads. Look for the cause at the API.`,
  source: "RFC 9110, section 5.4",
  kind: "headers-too-large",
  says: "api.acme.example sent headers that are too large",
  reason: ({ host }) => `${host} sent headers that are too large`,
  advice: (address) => `Check ${address} and the network.`,
});
