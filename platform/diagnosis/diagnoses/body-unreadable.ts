import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "body-unreadable",
  docs: `The response names a compression that its body does not have. Look for the cause at the API, or at a proxy before it.`,
  source: "RFC 9110, section 8.4",
  kind: "body-unreadable",
  says: "api.acme.example sent a compressed body that cannot be unpacked",
  reason: ({ host }) => `${host} sent a compressed body that cannot be unpacked`,
  advice: (address) => `Check ${address} and the network.`,
});
