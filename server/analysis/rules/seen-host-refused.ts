import { declareHost } from "../configuration/declare-domain.ts";
import { declaredHosts, isUnder } from "../domains/hosts.ts";
import { bearer, observationRule } from "../rule.ts";

export default observationRule({
  id: "seen-host-refused",
  severity: "warning",
  docs: `A request went to a host that is not in the pack's network domains.

A run showed this. The request was refused, as the platform would do. Declare the host's domain with \`pack.addNetworkDomain\`, or correct the URL.`,
  examples: [
    {
      bad: bearer`

        formula Read(url: What to read.) {
          «await context.fetcher.fetch({ method: "GET", url });»
          return "";
        }`,
      evidence: { code: "host-refused", names: ["api.other.example"], line: 12 },
    },
    {
      good: bearer`

        formula Read(url: What to read.) {
          await context.fetcher.fetch({ method: "GET", url });
          return "";
        }`,
      evidence: { code: "host-refused", names: ["api.acme.example"], line: 12 },
    },
  ],
  reports: {
    *"host-refused"(pack, line, [host]) {
      if (host === undefined || declaredHosts(pack).some((domain) => isUnder(host, domain))) return;
      yield {
        place: line,
        message: `Declare the domain of ${host} with pack.addNetworkDomain, or correct the URL. This request was refused.`,
        fixes: () => declareHost(pack, host),
      };
    },
  },
});
