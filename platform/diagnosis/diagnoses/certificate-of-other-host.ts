import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "certificate-of-other-host",
  docs: `The server's certificate belongs to another host. Check the host in the URL.`,
  source: "RFC 9110, section 4.3.4",
  kind: "certificate-of-other-host",
  says: "The certificate is not made for api.acme.example (ECODE)",
  reason: ({ host, detail }) => `the certificate is not made for ${host} (${detail})`,
  advice: (address) => `Check the host in ${address}.`,
});
