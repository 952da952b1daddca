import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "no-secure-connection",
  docs: `The server did not accept a TLS connection. Its port may use plain HTTP, or a proxy is in the way. Check the URL.`,
  source: "RFC 8446, section 6",
  kind: "no-secure-connection",
  says: "No secure connection to api.acme.example could be made (ECODE)",
  reason: ({ host, detail }) => `no secure connection to ${host} could be made (${detail})`,
  advice: (address) => `Check ${address}: the port may use plain http, or a proxy may be in the way.`,
});
