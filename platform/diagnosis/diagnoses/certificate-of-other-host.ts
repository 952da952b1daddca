import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "certificate-of-other-host",
  docs: `The server's certificate belongs to another host. Check the host in the URL.`,
  source: "RFC 9110, section 4.3.4",
  isGeneral: true,
  examples: [
    {
      network: { kind: "certificate-of-other-host", host: "api.acme.example", detail: "ECODE" },
      says: "The certificate is not made for api.acme.example (ECODE)",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "certificate-of-other-host") return undefined;
    const { host, detail } = failure.network;
    return { reason: `the certificate is not made for ${host} (${detail})`, advice: `Check the host in ${addressName(failure)}.` };
  },
});
