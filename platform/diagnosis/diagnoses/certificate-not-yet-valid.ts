import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "certificate-not-yet-valid",
  docs: `The server's certificate is not valid yet, which mostly means that the clock of this machine is wrong. Check the clock.`,
  source: "RFC 5280, section 4.1.2.5",
  isGeneral: true,
  examples: [
    {
      network: { kind: "certificate-not-yet-valid", host: "api.acme.example", detail: "ECODE" },
      says: "The certificate of api.acme.example is not valid yet (ECODE)",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when({ network }) {
    if (network?.kind !== "certificate-not-yet-valid") return undefined;
    const { host, detail } = network;
    return {
      reason: `the certificate of ${host} is not valid yet (${detail}): check this machine's clock`,
      advice: "Check this machine's clock. Otherwise the provider must renew the certificate.",
    };
  },
});
