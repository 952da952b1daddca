import { diagnosis, http } from "../diagnosis.ts";
import { refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "access-not-granted",
  docs: `The account has not granted a scope that the formula, the table or the pack asks for. Grant more access: the platform asks the user for it in the same way, after a 403 or a MissingScopesError.`,
  source: "the Packs SDK's MissingScopesError and extraOAuthScopes",
  examples: [
    {
      auth: { type: "OAuth2" },
      run: { lackingScopes: ["write"], asker: "Save", errorName: "StatusCodeError" },
      exchange: http`
      POST https://api.acme.example/items
      authorization: Bearer ••••

      403`,
      says: "has not granted write, which Save asks for",
    },
    {
      auth: { type: "OAuth2" },
      run: { lackingScopes: [], errorName: "StatusCodeError" },
      exchange: http`
      POST https://api.acme.example/items
      authorization: Bearer ••••

      403`,
      silent: true,
    },
  ],
  when(failure) {
    const { run } = failure;
    if (run === undefined || run.lackingScopes.length === 0) return undefined;
    const isRefused = ["StatusCodeError", "mcp-failed"].includes(run.errorName) && refusedStatus(failure) === 403;
    if (run.errorName !== "MissingScopesError" && !isRefused) return undefined;
    return {
      reason: `the account has not granted ${run.lackingScopes.join(", ")}, which ${run.asker} asks for`,
      advice: "Grant more access.",
      remedies:
        run.account === undefined
          ? []
          : [
              {
                kind: "grantAccess",
                account: run.account.id,
                scopes: [...run.account.grantedScopes, ...run.lackingScopes],
                label: "Grant more access",
              },
            ],
    };
  },
});
