// What the provider demands before other people can sign in. Only a documentation that a provider page names counts.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { asksProvider } from "../../../spec/auth-types.ts";
import { verificationOf } from "../../../spec/providers.ts";
import { atSetter, type PreflightFacts } from "../preflight-input.ts";

/** Returns the provider's demand, or no line if its page names none. */
export function verification(facts: PreflightFacts): readonly PreflightLine[] {
  const { type, authorizationUrl = "", scopes = [] } = facts.definition.userAuthentication ?? {};
  if (!asksProvider(type) || !URL.canParse(authorizationUrl)) return [];
  const demand = verificationOf(new URL(authorizationUrl).hostname, authorizationUrl);
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
