import { withoutStop } from "../facts.ts";
import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "network-failed",
  docs: `The request got no response, for a reason of the network. Check the URL and the network.`,
  source: "Fetch, network error",
  kind: "other",
  detail: "it failed",
  says: "The request to api.acme.example failed: it failed",
  reason: ({ host, detail }) => `the request to ${host} failed${detail === "" ? "" : `: ${withoutStop(detail)}`}`,
  advice: (address) => `Check ${address} and the network.`,
});
