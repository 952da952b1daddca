import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "host-unknown",
  docs: `The host's name does not resolve. The network is down, or the name is misspelled. Check the host, and the network.`,
  source: "getaddrinfo(3), EAI_NONAME and EAI_AGAIN",
  isGeneral: true,
  examples: [
    {
      network: { kind: "host-unknown", host: "api.acme.example", detail: "ECODE" },
      says: "The name api.acme.example does not resolve: the network is down, or the host is misspelled",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "host-unknown") return undefined;
    const { host } = failure.network;
    return {
      reason: `the name ${host} does not resolve: the network is down, or the host is misspelled`,
      advice: `Check the host in ${addressName(failure)}, and the network.`,
    };
  },
});
