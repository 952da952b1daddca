import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "request-stopped",
  docs: `The request was stopped before its response arrived, by a person or at the end of the run. Run again.`,
  source: "Fetch, abort",
  kind: "stopped",
  says: "The request to api.acme.example was stopped",
  reason: ({ host }) => `the request to ${host} was stopped`,
  advice: () => "Run again.",
});
