import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "interaction-required",
  docs: `The provider has to ask the person something first: to sign in, to allow the access, or to choose an account. If additionalParams contain prompt: none, it may not ask. Remove that, and sign in again.`,
  source: "OpenID Connect Core, section 3.1.2.6",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2", additionalParams: { prompt: "none" } },
      exchange: "error=login_required",
      says: "Remove prompt: none from additionalParams",
      field: "additionalParams",
    },
    { phase: "authorization", exchange: "error=consent_required", says: "the user has not allowed the access yet" },
    { phase: "authorization", exchange: "error=access_denied", silent: true },
  ],
  when(failure) {
    const reason = REASONS.get(codeOf(failure) ?? "");
    if (reason === undefined) return undefined;
    return failure.auth.additionalParams?.prompt === "none"
      ? {
          reason: `${reason}, and additionalParams do not let it ask`,
          advice: "Remove prompt: none from additionalParams, and sign in again.",
          field: "additionalParams",
        }
      : { reason, advice: "Sign in again." };
  },
});

const REASONS: ReadonlyMap<string, string> = new Map([
  ["login_required", "the user is not signed in there"],
  ["consent_required", "the user has not allowed the access yet"],
  ["interaction_required", "it has to ask the user something"],
  ["account_selection_required", "the user has to choose an account"],
]);
