// What the provider demands before other people can sign in. Only a documentation that a provider page names counts.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { asksProvider } from "../../../spec/auth-types.ts";
import { verificationOf } from "../../../spec/provider-readings.ts";
import { atSetter, type PreflightFacts } from "../preflight-input.ts";

/** Returns the provider's demand, or no line if its page names none. */
export function verification(facts: PreflightFacts): readonly PreflightLine[] {
  const { type, scopes = [], ...address } = facts.definition.userAuthentication ?? {};
  const demand = asksProvider(type) ? verificationOf(address) : undefined;
  if (demand === undefined) return [];
  const requested = scopes.length === 0 ? "" : ` The pack requests ${scopes.join(", ")}.`;
  return [
    {
      topic: "verification",
      verdict: "needs-approval",
      text: `${demand.text}${requested} See ${demand.source}.`,
      ...atSetter(facts, "user"),
    },
  ];
}
