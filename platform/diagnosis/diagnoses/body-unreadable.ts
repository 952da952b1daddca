import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "body-unreadable",
  docs: `The response names a compression that its body does not have. Look for the cause at the API, or at a proxy before it.`,
  source: "RFC 9110, section 8.4",
  isGeneral: true,
  examples: [
    {
      network: { kind: "body-unreadable", host: "api.acme.example", detail: "ECODE" },
      says: "api.acme.example sent a compressed body that cannot be unpacked",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "body-unreadable") return undefined;
    const { host } = failure.network;
    return { reason: `${host} sent a compressed body that cannot be unpacked`, advice: `Check ${addressName(failure)} and the network.` };
  },
});
