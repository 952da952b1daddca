import { refreshTokenHint } from "../advice.ts";
import { diagnosis } from "../diagnosis.ts";
import { refusedStatus } from "../facts.ts";

export default diagnosis({
  id: "token-ran-out",
  docs: `The access token has expired, and the provider returned no refresh token. Sign in again. A refresh token renews the access token next time. Ask the provider for one by the scope offline_access, by additionalParams, or by a setting of the application.`,
  source: "RFC 6749, section 1.5",
  examples: [
    { auth: { type: "OAuth2" }, account: { hasRunOut: true }, exchange: "401", says: "the access token has expired" },
    { auth: { type: "OAuth2" }, exchange: "401", silent: true },
  ],
  when(failure) {
    if (refusedStatus(failure) !== 401 || failure.account?.hasRunOut !== true) return undefined;
    return {
      reason: "the access token has expired, and the provider returned no refresh token",
      advice: `Sign in again. ${refreshTokenHint(failure.auth)}`,
    };
  },
});
