import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "connection-closed",
  docs: `The server, or a proxy before it, ended the connection before its response was complete. Try again, and check the URL and the network.`,
  source: "RFC 9112, section 9.5",
  isGeneral: true,
  examples: [
    { network: { kind: "connection-closed", host: "api.acme.example", detail: "ECODE" }, says: "api.acme.example closed the connection" },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "connection-closed") return undefined;
    const { host } = failure.network;
    return { reason: `${host} closed the connection`, advice: `Check ${addressName(failure)} and the network.` };
  },
});
