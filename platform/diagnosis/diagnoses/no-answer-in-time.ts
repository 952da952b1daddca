import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "no-answer-in-time",
  docs: `The server did not respond within the time limit. Try again. If this happens again, check the URL, the network and the server.`,
  source: "RFC 9110, section 15.5.9",
  kind: "no-answer-in-time",
  says: "api.acme.example did not answer in time",
  reason: ({ host }) => `${host} did not answer in time`,
  advice: (address) => `Try again. If this happens again, check ${address} and the network.`,
});
