import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "connection-closed",
  docs: `The server, or a proxy before it, ended the connection before its response was complete. Try again, and check the URL and the network.`,
  source: "RFC 9112, section 9.5",
  kind: "connection-closed",
  says: "api.acme.example closed the connection",
  reason: ({ host }) => `${host} closed the connection`,
  advice: (address) => `Check ${address} and the network.`,
});
