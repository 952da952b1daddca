import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "connection-refused",
  docs: `No server listens at the host's port. Check the port in the URL, and whether the server is running.`,
  source: "connect(2), ECONNREFUSED",
  kind: "connection-refused",
  says: "api.acme.example refuses connections",
  reason: ({ host }) => `${host} refuses connections`,
  advice: (address) => `Check ${address}, and whether the server is running.`,
});
