import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "certificate-expired",
  docs: `The server's certificate has expired, or the clock of this machine is wrong. Check the clock; otherwise the provider must renew the certificate.`,
  source: "RFC 5280, section 4.1.2.5",
  isGeneral: true,
  examples: [
    {
      network: { kind: "certificate-expired", host: "api.acme.example", detail: "ECODE" },
      says: "The certificate of api.acme.example has expired (ECODE)",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when({ network }) {
    if (network?.kind !== "certificate-expired") return undefined;
    const { host, detail } = network;
    return {
      reason: `the certificate of ${host} has expired (${detail})`,
      advice: "Check this machine's clock. Otherwise the provider must renew the certificate.",
    };
  },
});
