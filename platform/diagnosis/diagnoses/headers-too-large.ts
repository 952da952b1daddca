import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "headers-too-large",
  docs: `The headers of the response are larger than an HTTP client reads. Look for the cause at the API.`,
  source: "RFC 9110, section 5.4",
  isGeneral: true,
  examples: [
    {
      network: { kind: "headers-too-large", host: "api.acme.example", detail: "ECODE" },
      says: "api.acme.example sent headers that are too large",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "headers-too-large") return undefined;
    const { host } = failure.network;
    return { reason: `${host} sent headers that are too large`, advice: `Check ${addressName(failure)} and the network.` };
  },
});
