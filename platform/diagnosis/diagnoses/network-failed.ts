import { diagnosis } from "../diagnosis.ts";
import { addressName, withoutStop } from "../facts.ts";

export default diagnosis({
  id: "network-failed",
  docs: `The request got no response, for a reason of the network. Check the URL and the network.`,
  source: "Fetch, network error",
  isGeneral: true,
  examples: [
    {
      network: { kind: "other", host: "api.acme.example", detail: "it failed" },
      says: "The request to api.acme.example failed: it failed",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "other") return undefined;
    const { host, detail } = failure.network;
    return {
      reason: `the request to ${host} failed${detail === "" ? "" : `: ${withoutStop(detail)}`}`,
      advice: `Check ${addressName(failure)} and the network.`,
    };
  },
});
