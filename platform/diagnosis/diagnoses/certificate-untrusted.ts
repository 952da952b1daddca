import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "certificate-untrusted",
  docs: `No authority that this machine trusts has signed the server's certificate. Name the authority's certificate in the setting \`packAuth.trustedCertificates\`, or on the command line in \`NODE_EXTRA_CA_CERTS\`. Both name PEM files.`,
  source: "RFC 5280, section 6",
  kind: "certificate-untrusted",
  detail: "SELF_SIGNED_CERT_IN_CHAIN",
  says: "The certificate of api.acme.example is not trusted (SELF_SIGNED_CERT_IN_CHAIN)",
  reason: ({ host, detail }) => `the certificate of ${host} is not trusted (${detail})`,
  advice: () => "It may be of a company's authority or of your own test server.",
  nextStep: { do: "trustCertificate" },
});
