import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "length-mismatch",
  docs: `The response is shorter or longer than its Content-Length. Look for the cause at the API, or at a proxy before it.`,
  source: "RFC 9110, section 8.6",
  isGeneral: true,
  examples: [
    {
      network: { kind: "length-mismatch", host: "api.acme.example", detail: "ECODE" },
      says: "api.acme.example sent less, or more, than it announced",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "length-mismatch") return undefined;
    const { host } = failure.network;
    return { reason: `${host} sent less, or more, than it announced`, advice: `Check ${addressName(failure)} and the network.` };
  },
});
