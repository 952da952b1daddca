import { isOAuthType, typesWithField } from "../../../spec/auth-types.ts";
import { fieldValue, nameOf, propertyOf, propose, type ResolvedAuth } from "../configuration/config.ts";
import { changeType, fieldPlace, setting } from "../configuration/observation.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue } from "../model/values.ts";
import { oauth2, observationRule, user } from "../rule.ts";
import { insertProperty, quoteIn, replace } from "../text/edit.ts";

export default observationRule({
  id: "seen-token-prefix",
  severity: "warning",
  docs: `The API asked for another scheme than the token was sent with.

A run showed this. The API refused the request, and its WWW-Authenticate header names the scheme that it expects. \`tokenPrefix\` is the word before the token. Without it the platform writes \`Bearer\`. For an API that asks for Basic, a user name and a password, use \`WebBasic\`.`,
  examples: [
    { bad: oauth2`«type»`, evidence: { code: "token-prefix", names: ["token"] }, fixed: oauth2`tokenPrefix: "token",` },
    { bad: oauth2`«tokenPrefix»: "Token",`, evidence: { code: "token-prefix", names: ["Key"] }, fixed: oauth2`tokenPrefix: "Key",` },
    {
      bad: user`«type: coda.AuthenticationType.HeaderBearerToken»,`,
      evidence: { code: "token-prefix", names: ["token"] },
      fixed: user`
        type: coda.AuthenticationType.CustomHeaderToken,
        headerName: "Authorization",
        tokenPrefix: "token",`,
    },
    {
      bad: user`«type: coda.AuthenticationType.HeaderBearerToken»,`,
      evidence: { code: "token-prefix", names: ["Basic"] },
      fixed: user`type: coda.AuthenticationType.WebBasic,`,
    },
    {
      bad: user`
        type: coda.AuthenticationType.MultiHeaderToken,
        headers: [{ name: "X-App", description: "App" }, «{ name: "Authorization", description: "Token" }»],`,
      evidence: { code: "token-prefix", names: ["Key"] },
      change: ['{ name: "Authorization", description: "Token" }', '{ name: "Authorization", description: "Token", tokenPrefix: "Key" }'],
    },
    { good: oauth2`tokenPrefix: "token",` },
  ],
  reports: {
    *"token-prefix"(pack, auth, [scheme]) {
      if (scheme === undefined) return;
      const because = `The API refused the request, and asked for the scheme ${scheme}.`;
      const header = auth.type === "MultiHeaderToken" ? authorizationOf(pack, auth) : undefined;
      if (header !== undefined && !isBasic(scheme)) {
        const prefix = propertyOf(header, "tokenPrefix");
        const text = quoteIn(pack, header, scheme);
        yield {
          place: prefix === undefined ? header.place : nameOf(prefix),
          message: `Set tokenPrefix of the header Authorization to ${scheme}. ${because}`,
          fixes: () => [
            propose(
              `Set tokenPrefix to ${scheme}`,
              prefix === undefined ? insertProperty(pack, header, `tokenPrefix: ${text}`) : replace(prefix.value.place, text),
            ),
          ],
        };
        return;
      }
      yield {
        place: fieldPlace(auth, "tokenPrefix"),
        message: `${remedyOf(auth, scheme)} ${because}`,
        fixes: () => fixesOf(pack, auth, scheme),
      };
    },
  },
});

/** Returns the Authorization entry among the configuration's headers. */
function authorizationOf(pack: PackModel, auth: ResolvedAuth): ObjectValue | undefined {
  const headers = fieldValue(pack, auth, "headers");
  if (headers?.kind !== "array") return undefined;
  return headers.items.find((item): item is ObjectValue => {
    const name = item.kind === "object" ? propertyOf(item, "name") : undefined;
    const text = name && pack.resolve(name.value);
    return text?.kind === "string" && text.value.toLowerCase() === "authorization";
  });
}

const isBasic = (scheme: string): boolean => scheme.toLowerCase() === "basic";

const hasPrefix = ({ type }: ResolvedAuth): boolean => typesWithField("tokenPrefix").includes(type);

function remedyOf(auth: ResolvedAuth, scheme: string): string {
  if (isBasic(scheme)) return "Use WebBasic, if the API takes a user name and a password.";
  if (hasPrefix(auth)) return `Set tokenPrefix to ${scheme}.`;
  return auth.type === "HeaderBearerToken" ? `Use CustomHeaderToken with tokenPrefix ${scheme}.` : `Send the credential as ${scheme}.`;
}

function fixesOf(pack: PackModel, auth: ResolvedAuth, scheme: string): readonly Fix[] {
  const [header, prefix] = ["Authorization", scheme].map((text) => quoteIn(pack, auth.config, text)) as [string, string];
  if (isBasic(scheme)) return isOAuthType(auth.type) ? [] : changeType(pack, auth, "WebBasic", {});
  if (hasPrefix(auth)) return setting(pack, auth, "tokenPrefix", scheme);
  return auth.type === "HeaderBearerToken" ? changeType(pack, auth, "CustomHeaderToken", { headerName: header, tokenPrefix: prefix }) : [];
}
