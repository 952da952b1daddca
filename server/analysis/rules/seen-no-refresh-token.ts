import { propertyOf } from "../configuration/config.ts";
import { fieldPlace } from "../configuration/observation.ts";
import { addParams, addScope, askOf } from "../configuration/provider.ts";
import { oauth2, observationRule, user } from "../rule.ts";

export default observationRule({
  id: "seen-no-refresh-token",
  severity: "warning",
  docs: `The provider issued a token that expires, and no refresh token.

A sign-in showed this. The account stops working when the token ends, and each user must sign in again. Many providers issue a refresh token only on request. Ask for it by the scope \`offline_access\`, by \`additionalParams\` such as \`access_type: "offline"\`, or by a setting of the application.`,
  supersedes: ["oauth2-no-refresh-token"],
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «"https://login.acme.example/authorize"»,
        tokenUrl: "https://login.acme.example/token",`,
      evidence: { code: "no-refresh-token" },
      fixed: oauth2`scopes: ["offline_access"],`,
    },
    { good: oauth2`scopes: ["offline_access"],` },
  ],
  reports: {
    *"no-refresh-token"(pack, auth) {
      yield {
        place: propertyOf(auth.config, "authorizationUrl")?.value.place ?? fieldPlace(auth, "authorizationUrl"),
        message: "Ask for a refresh token. The provider gave none, so each user must sign in again when the token ends.",
        fixes: () => {
          const { params, scopes } = askOf(pack, auth) ?? UNKNOWN;
          const [scope] = scopes ?? [];
          return [
            ...(scope === undefined ? [] : addScope(pack, auth, scope)),
            ...(params === undefined ? [] : addParams(pack, auth, params)),
          ];
        },
      };
    },
  },
});

/** The requirements that are most common among providers. */
const UNKNOWN = { scopes: ["offline_access"], params: [{ name: "access_type", value: "offline" }] };
