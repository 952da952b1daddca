import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "no-secure-connection",
  docs: `The server did not accept a TLS connection. Its port may use plain HTTP, or a proxy is in the way. Check the URL.`,
  source: "RFC 8446, section 6",
  isGeneral: true,
  examples: [
    {
      network: { kind: "no-secure-connection", host: "api.acme.example", detail: "ECODE" },
      says: "No secure connection to api.acme.example could be made (ECODE)",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "no-secure-connection") return undefined;
    const { host, detail } = failure.network;
    return {
      reason: `no secure connection to ${host} could be made (${detail})`,
      advice: `Check ${addressName(failure)}: the port may use plain http, or a proxy may be in the way.`,
    };
  },
});
