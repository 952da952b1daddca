// Which credentials a developer has to enter on the platform, and where.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { asksProvider, hasSignIn, isOAuthType } from "../../../spec/auth-types.ts";
import { CREDENTIAL_DIALOGS } from "../../../spec/platform-pages.ts";
import { atSetter, authenticationsOf, type PreflightFacts } from "../preflight-input.ts";

/** Returns a line for each dialog of the pack's page, or one that nothing has to be entered. */
export function credentials(facts: PreflightFacts): readonly PreflightLine[] {
  const signIns = authenticationsOf(facts.definition).filter(({ auth }) => hasSignIn(auth.type));
  if (signIns.length === 0) return [];
  const lines = signIns.flatMap(({ scope, auth }): readonly PreflightLine[] => {
    const line = { topic: "credentials", verdict: "differs-there", ...atSetter(facts, scope) } as const;
    if (asksProvider(auth.type) && auth.useDynamicClientRegistration !== true)
      return [
        {
          ...line,
          text: `Enter the client ID and secret on the pack's page: ${CREDENTIAL_DIALOGS.oauth}. The upload does not contain them.`,
          action: { kind: "sendClientCredentials" },
        },
      ];
    if (scope === "system")
      return [
        {
          ...line,
          text: `Enter the ${isOAuthType(auth.type) ? "client ID and secret" : "credentials"} of the system authentication on the pack's page: ${CREDENTIAL_DIALOGS.system}. Until then users cannot run the pack.`,
        },
      ];
    return [];
  });
  if (lines.length > 0) return lines;
  return [
    {
      topic: "credentials",
      verdict: "fits",
      text: "No credentials have to be entered on the pack's page: each user enters or grants their own.",
      ...atSetter(facts, "user"),
    },
  ];
}
