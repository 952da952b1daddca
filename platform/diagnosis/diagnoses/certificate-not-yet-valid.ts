import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "certificate-not-yet-valid",
  docs: `The server's certificate is not valid yet, which mostly means that the clock of this machine is wrong. Check the clock.`,
  source: "RFC 5280, section 4.1.2.5",
  kind: "certificate-not-yet-valid",
  says: "The certificate of api.acme.example is not valid yet (ECODE)",
  reason: ({ host, detail }) => `the certificate of ${host} is not valid yet (${detail}): check this machine's clock`,
  advice: () => "Check this machine's clock. Otherwise the provider must renew the certificate.",
});
