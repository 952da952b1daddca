import { diagnosis } from "../diagnosis.ts";
import { addressName, withoutStop } from "../facts.ts";

export default diagnosis({
  id: "request-refused-here",
  docs: `Pack Auth did not send the request. The message says why. In the editor, a provider in a private network is reached where authorizationUrl and tokenUrl name its host.`,
  source: "docs/security.md",
  isGeneral: true,
  examples: [
    {
      network: { kind: "refused-here", host: "api.acme.example", detail: "Not sent: the address is private." },
      says: "Not sent: the address is private",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when(failure) {
    if (failure.network?.kind !== "refused-here") return undefined;
    const { detail } = failure.network;
    return {
      reason: `${withoutStop(detail)}`,
      advice: `Check ${addressName(failure)}. In the editor, a provider in a private network is reached where authorizationUrl and tokenUrl name its host.`,
    };
  },
});
