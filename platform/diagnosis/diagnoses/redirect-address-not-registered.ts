import { diagnosis } from "../diagnosis.ts";
import { codeOf, descriptionOf } from "../facts.ts";

export default diagnosis({
  id: "redirect-address-not-registered",
  docs: `The redirect address of the sign-in is not registered for the application. Register it at the provider, exactly as it is shown: http or https, host, port, path and a slash at the end all count.`,
  source: "RFC 6749, sections 3.1.2.3 and 4.1.3",
  examples: [
    {
      phase: "authorization",
      signIn: { redirectUri: "http://localhost:3000/oauth" },
      exchange: "error=invalid_request&error_description=The redirect_uri does not match",
      says: "the redirect address http://localhost:3000/oauth is not registered",
    },
    { phase: "code", exchange: '400 {"error":"redirect_uri_mismatch"}', says: "Register that was sent at the provider" },
    { phase: "refresh", exchange: '400 {"error":"invalid_grant","error_description":"bad redirect_uri"}', silent: true },
  ],
  when(failure) {
    const code = codeOf(failure) ?? "";
    const isNamed =
      /redirect[_ ]?ur[il]|reply (?:url|address)/i.test(descriptionOf(failure)) &&
      ["invalid_request", "invalid_grant", "invalid_client", "unauthorized_client"].includes(code) &&
      failure.phase !== "refresh";
    if (code !== "redirect_uri_mismatch" && code !== "invalid_redirect_uri" && !isNamed) return undefined;
    const redirectUri = failure.signIn?.redirectUri ?? "that was sent";
    return {
      reason: `the redirect address ${redirectUri} is not registered for this application`,
      advice: `Register ${redirectUri} at the provider, exactly like this: http or https, host, port, path and a slash at the end all count.`,
    };
  },
});
