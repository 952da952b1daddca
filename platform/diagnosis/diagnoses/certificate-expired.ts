import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "certificate-expired",
  docs: `The server's certificate has expired, or the clock of this machine is wrong. Check the clock; otherwise the provider must renew the certificate.`,
  source: "RFC 5280, section 4.1.2.5",
  kind: "certificate-expired",
  says: "The certificate of api.acme.example has expired (ECODE)",
  reason: ({ host, detail }) => `the certificate of ${host} has expired (${detail})`,
  advice: () => "Check this machine's clock. Otherwise the provider must renew the certificate.",
});
