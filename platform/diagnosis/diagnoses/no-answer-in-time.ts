import { diagnosis } from "../diagnosis.ts";
import { addressName } from "../facts.ts";

export default diagnosis({
  id: "no-answer-in-time",
  docs: `The server did not respond within the time limit. Try again. If this happens again, check the URL, the network and the server.`,
  source: "RFC 9110, section 15.5.9",
  isGeneral: true,
  examples: [
    { network: { kind: "no-answer-in-time", host: "api.acme.example", detail: "ECODE" }, says: "api.acme.example did not answer in time" },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "no-answer-in-time") return undefined;
    const { host } = failure.network;
    return {
      reason: `${host} did not answer in time`,
      advice: `Try again. If this happens again, check ${addressName(failure)} and the network.`,
    };
  },
});
