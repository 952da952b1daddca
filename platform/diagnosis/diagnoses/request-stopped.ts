import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "request-stopped",
  docs: `The request was stopped before its response arrived, by a person or at the end of the run. Run again.`,
  source: "Fetch, abort",
  isGeneral: true,
  examples: [
    { network: { kind: "stopped", host: "api.acme.example", detail: "ECODE" }, says: "The request to api.acme.example was stopped" },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when({ network }) {
    if (network?.kind !== "stopped") return undefined;
    const { host } = network;
    return { reason: `the request to ${host} was stopped`, advice: "Run again." };
  },
});
