import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "resource-unknown",
  docs: `The provider does not know the API that the field resource names (RFC 8707). Compare resource with the provider's documentation, letter by letter.`,
  source: "RFC 8707, section 2, invalid_target",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2", resource: "https://api.acme.example" },
      exchange: "error=invalid_target",
      says: "it does not know the resource https://api.acme.example",
      field: "resource",
    },
    { phase: "authorization", exchange: "error=invalid_request", silent: true },
  ],
  when(failure) {
    if (codeOf(failure) !== "invalid_target") return undefined;
    return {
      reason: `it does not know the resource ${failure.auth.resource ?? "that was asked for"}`,
      advice: "Compare resource with the provider's documentation, letter by letter.",
      field: "resource",
    };
  },
});
