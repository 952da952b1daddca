import { diagnosis } from "../diagnosis.ts";
import { codeOf, descriptionOf } from "../facts.ts";

export default diagnosis({
  id: "administrator-consent-needed",
  docs: `An administrator has to allow the application first. The provider lets an organization's users grant access only to applications that an administrator has approved. Ask the administrator of the account to approve the application, or use an account of your own organization. Another sign-in cannot help before that.`,
  source: "OpenID Connect Core, section 3.1.2.6; Google Workspace, “admin_policy_enforced”; Microsoft Entra, AADSTS90094 and AADSTS65001",
  examples: [
    {
      phase: "authorization",
      exchange:
        "error=consent_required&error_description=An administrator has set a policy that prevents you from granting the app the permissions it is requesting.",
      says: "an administrator has to allow the application",
    },
    { phase: "authorization", exchange: "error=admin_policy_enforced", says: "Ask the account's administrator" },
    { phase: "authorization", exchange: "error=access_denied&error_description=The user denied the request", silent: true },
  ],
  when(failure) {
    const { phase, providerError } = failure;
    if (providerError === undefined || !["authorization", "code", "refresh"].includes(phase)) return undefined;
    const isOfConsent =
      /^(|access_denied|consent_required|interaction_required|unauthorized_client|invalid_grant|admin_policy_enforced|invalid_request)$/.test(
        codeOf(failure) ?? "",
      );
    const words = `${providerError.code.replaceAll("_", " ")} ${descriptionOf(failure)}`;
    if (!isOfConsent || !/\badmin(istrator)?\b/i.test(words) || !/consent|polic|approv|permission|grant|allow|authori[sz]/i.test(words))
      return undefined;
    return {
      reason: "an administrator has to allow the application",
      advice:
        "Ask the account's administrator to approve the application, or use an account of another organization. Signing in again does not help before that.",
    };
  },
});
