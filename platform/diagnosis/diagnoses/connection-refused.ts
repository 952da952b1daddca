import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "connection-refused",
  docs: `No server listens at the host's port. Check the port in the URL, and whether the server is running.`,
  source: "connect(2), ECONNREFUSED",
  isGeneral: true,
  examples: [
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "ECODE" }, says: "api.acme.example refuses connections" },
    { network: { kind: "host-unknown", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "connection-refused") return undefined;
    const { host } = failure.network;
    return { reason: `${host} refuses connections`, advice: `Check ${addressName(failure)}, and whether the server is running.` };
  },
});
