import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "certificate-untrusted",
  docs: `No authority that this machine trusts has signed the server's certificate. Name the authority's certificate in the setting \`packAuth.trustedCertificates\`, or on the command line in \`NODE_EXTRA_CA_CERTS\`. Both name PEM files.`,
  source: "RFC 5280, section 6",
  isGeneral: true,
  examples: [
    {
      network: { kind: "certificate-untrusted", host: "api.acme.example", detail: "SELF_SIGNED_CERT_IN_CHAIN" },
      says: "The certificate of api.acme.example is not trusted (SELF_SIGNED_CERT_IN_CHAIN)",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when({ network }) {
    if (network?.kind !== "certificate-untrusted") return undefined;
    const { host, detail } = network;
    return {
      reason: `the certificate of ${host} is not trusted (${detail}): name its authority in the setting packAuth.trustedCertificates, or on the command line in NODE_EXTRA_CA_CERTS`,
      advice: "Both name PEM files, such as the certificate of a company's authority or of your own test server.",
    };
  },
});
