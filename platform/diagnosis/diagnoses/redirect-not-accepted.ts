import { diagnosis } from "../diagnosis.ts";
import { codeOf } from "../facts.ts";

export default diagnosis({
  id: "redirect-not-accepted",
  docs: `The provider does not accept the redirect address of the registration. Some providers need 127.0.0.1, another port, or https. Choose another address in the settings packAuth.redirect.`,
  source: "RFC 7591, section 3.2.2, invalid_redirect_uri",
  examples: [
    {
      phase: "registration",
      signIn: { redirectUri: "http://localhost:3000/oauth" },
      exchange: '400 {"error":"invalid_redirect_uri"}',
      says: "it does not accept the redirect address http://localhost:3000/oauth",
    },
    { phase: "code", exchange: '400 {"error":"invalid_redirect_uri"}', silent: true },
  ],
  when(failure) {
    if (failure.phase !== "registration" || !["invalid_redirect_uri", "redirect_uri_mismatch"].includes(codeOf(failure) ?? ""))
      return undefined;
    return {
      reason: `it does not accept the redirect address ${failure.signIn?.redirectUri ?? "of this machine"}`,
      advice: "Some providers need 127.0.0.1, another port, or https.",
      nextStep: { do: "chooseRedirect" },
    };
  },
});
