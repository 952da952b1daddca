// Explains a refusal of OAuth by its code and description alone.
import { type Explanation, explain } from "../../platform/diagnosis/explain.ts";
import type { SignInFacts } from "../../platform/diagnosis/failure.ts";
import type { OAuthPhase } from "../../platform/diagnosis/oauth-codes.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";

interface Refusal extends Partial<Pick<SignInFacts, "client" | "redirectUri" | "isOnPage">> {
  readonly phase: OAuthPhase;
  readonly code: string;
  readonly description?: string;
  readonly auth: AuthenticationDefinition;
  /** The scopes that the provider's metadata lists. */
  readonly scopesSupported?: readonly string[];
}

/** Returns undefined for a code that only this provider knows. */
export function explainRefusal({ phase, code, description, auth, scopesSupported, ...more }: Refusal): Explanation | undefined {
  const explanation = explain({
    phase,
    auth,
    providerError: { code, ...(description === undefined ? {} : { description }) },
    signIn: {
      client: "confidential",
      address: "https://id.acme.example/",
      ...more,
      ...(scopesSupported === undefined ? {} : { metadata: { scopes: scopesSupported, challengeMethods: [] } }),
    },
  });
  return explanation?.id === "unexplained" ? undefined : explanation;
}
