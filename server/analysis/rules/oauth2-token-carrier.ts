import { isOAuth } from "../configuration/authorization-request.ts";
import { fieldValue, nameOf, propertyOf, type ResolvedAuth, removal } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import { oauth2, rule } from "../rule.ts";

export default rule({
  id: "oauth2-token-carrier",
  severity: "warning",
  source: "auth-spec 2.3",
  docs: `The configuration has both \`tokenPrefix\` and \`tokenQueryParam\`.

With \`tokenQueryParam\` the token goes into the URL's query. There is no Authorization header, so the prefix has no effect. Remove the prefix. If the API accepts the header, remove \`tokenQueryParam\` instead: that keeps tokens out of logs.`,
  examples: [
    {
      bad: oauth2`
        «tokenPrefix»: "Token",
        tokenQueryParam: "access_token",`,
      fixed: oauth2`tokenQueryParam: "access_token",`,
    },
    { good: oauth2`tokenPrefix: "Token",` },
  ],
  on: {
    *auth(pack, auth) {
      if (!isOAuth(auth)) return;
      const prefix = propertyOf(auth.config, "tokenPrefix");
      if (prefix === undefined || !isSet(pack, auth, "tokenPrefix") || !isSet(pack, auth, "tokenQueryParam")) return;
      yield {
        place: nameOf(prefix),
        message: "Remove tokenPrefix or tokenQueryParam. The token goes into the URL and not into a header, so the prefix has no effect.",
        fixes: () => removal(pack, auth.config, prefix),
      };
    },
  },
});

/** Returns whether the field is certainly a non-empty string, because an empty one has no effect. */
function isSet(pack: PackModel, auth: ResolvedAuth, name: string): boolean {
  const value = fieldValue(pack, auth, name);
  return value?.kind === "template" || (value?.kind === "string" && value.value !== "");
}
