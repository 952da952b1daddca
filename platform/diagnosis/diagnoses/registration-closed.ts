import { BY_HAND } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { codeOf, descriptionOf, statusOf } from "../facts.ts";

export default diagnosis({
  id: "registration-closed",
  docs: `The provider does not let this application register itself (RFC 7591). Many providers let only known hosts, or holders of an initial access token, register. The platform has neither. Ask the provider's administrator to open the registration, or register the application by hand and remove useDynamicClientRegistration.`,
  source: "RFC 7591, sections 3 and 3.2.2",
  examples: [
    {
      phase: "registration",
      exchange: '403 {"error":"insufficient_scope","error_description":"Host not trusted."}',
      says: "it does not let this application register itself",
    },
    {
      phase: "registration",
      exchange: '401 {"error":"invalid_token","error_description":"Initial access token required"}',
      says: "Register the application by hand",
    },
    { phase: "registration", exchange: '400 {"error":"invalid_client_metadata"}', silent: true },
  ],
  when(failure) {
    if (failure.phase !== "registration") return undefined;
    const code = codeOf(failure) ?? "";
    const isClosed = /^(insufficient_scope|invalid_token|access_denied|unauthorized_client|invalid_client|unauthorized|forbidden)$/.test(
      code,
    );
    const isScope = code === "invalid_scope" && (failure.auth.scopes ?? []).length === 0;
    const saysClosed = /initial access token|not (?:trusted|allowed) to register|registration is (?:not allowed|disabled|closed)/i.test(
      descriptionOf(failure),
    );
    if (!isClosed && !isScope && !saysClosed && statusOf(failure) !== 401 && statusOf(failure) !== 403) return undefined;
    return {
      reason: "it does not let this application register itself, as useDynamicClientRegistration has it",
      advice: `Ask its administrator to let anybody register. Or do it yourself: ${BY_HAND.hint}`,
      nextStep: BY_HAND.nextStep,
      field: "useDynamicClientRegistration",
    };
  },
});
