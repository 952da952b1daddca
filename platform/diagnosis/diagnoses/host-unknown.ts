import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "host-unknown",
  docs: `The host's name does not resolve. The network is down, or the name is misspelled. Check the host, and the network.`,
  source: "getaddrinfo(3), EAI_NONAME and EAI_AGAIN",
  kind: "host-unknown",
  says: "The name api.acme.example does not resolve: the network is down, or the host is misspelled",
  reason: ({ host }) => `the name ${host} does not resolve: the network is down, or the host is misspelled`,
  advice: (address) => `Check the host in ${address}, and the network.`,
});
