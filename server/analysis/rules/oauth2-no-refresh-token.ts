import type { RefreshTokenAsk } from "../../../spec/providers.ts";
import { mayCarry } from "../configuration/authorization-request.ts";
import { fieldValue, isAbsent, propertyOf, type ResolvedAuth } from "../configuration/config.ts";
import { addParams, addScope, askOf } from "../configuration/provider.ts";
import type { PackModel } from "../model/pack.ts";
import { rule, source, user } from "../rule.ts";

export default rule({
  id: "oauth2-no-refresh-token",
  severity: "information",
  source: "the providers' documentation",
  docs: `The configuration does not ask for a refresh token, and this provider issues one only on request.

Without a refresh token the account stops working when the access token ends, often after an hour, and every user must sign in again. Google and Zoho need \`access_type: "offline"\` (and Google \`prompt: "consent"\`). Dropbox needs \`token_access_type: "offline"\`, Reddit \`duration: "permanent"\`. Microsoft, Atlassian, Auth0, Okta and Xero need the scope \`offline_access\`, X \`offline.access\`. Add it, unless you want short sessions.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «"https://accounts.google.com/o/oauth2/v2/auth"»,
        tokenUrl: "https://oauth2.googleapis.com/token",
        scopes: ["profile"],`,
      change: ["}", '  additionalParams: { access_type: "offline", prompt: "consent" },\n}'],
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «"https://www.dropbox.com/oauth2/authorize"»,
        tokenUrl: "https://api.dropboxapi.com/oauth2/token",
        additionalParams: {
          locale: "en",
        },`,
      change: ["}", '  token_access_type: "offline",\n  }'],
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «"https://auth.atlassian.com/authorize"»,
        tokenUrl: "https://auth.atlassian.com/oauth/token",
        scopes: ["read:jira-user"],`,
      change: ['"read:jira-user"', '"read:jira-user", "offline_access"'],
    },
    {
      good: source`
        import { params } from "elsewhere";
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.addNetworkDomain("acme.example");
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
          tokenUrl: "https://oauth2.googleapis.com/token",
          additionalParams: { ...params },
        });`,
    },
    {
      good: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://github.com/login/oauth/authorize",
        tokenUrl: "https://github.com/login/oauth/access_token",`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2") return;
      const authorizationUrl = propertyOf(auth.config, "authorizationUrl")?.value;
      const ask = askOf(pack, auth);
      if (authorizationUrl === undefined || ask === undefined) return;
      const params = (ask.params ?? []).filter(
        (param) => !mayCarry(pack, auth, param.name) && !(param.orParam !== undefined && mayCarry(pack, auth, param.orParam)),
      );
      const [first] = params;
      if (first !== undefined)
        yield {
          place: authorizationUrl.place,
          message: `Set what ${ask.title} requires: ${params.map(({ name, value }) => `${name}=${value}`).join(" and ")} in additionalParams. Without it, ${first.without}, and the account stops working when the access token ends. See ${ask.source}.`,
          fixes: () => addParams(pack, auth, params),
        };
      const scope = ask.scopes === undefined ? undefined : missingScope(pack, auth, ask);
      if (scope !== undefined)
        yield {
          place: authorizationUrl.place,
          message: `Add the scope ${scope}. ${ask.title} gives a refresh token only with it, and without one the account stops working when the access token ends. See ${ask.source}.`,
          fixes: () => addScope(pack, auth, scope),
        };
    },
  },
});

/** Returns the scope to add, or undefined if a suitable scope is or may be present. */
function missingScope(pack: PackModel, auth: ResolvedAuth, ask: RefreshTokenAsk): string | undefined {
  const refreshScopes = ask.scopes ?? [];
  // The scope is requested outside `scopes`, which other rules check.
  if (mayCarry(pack, auth, "scope")) return undefined;
  if (isAbsent(pack, auth, "scopes")) return ask.allByDefault ? undefined : refreshScopes[0];
  const scopes = fieldValue(pack, auth, "scopes");
  if (scopes?.kind !== "array" || scopes.open || (scopes.items.length === 0 && ask.allByDefault)) return undefined;
  const names: string[] = [];
  for (const item of scopes.items) {
    const scope = pack.resolve(item);
    if (scope.kind !== "string") return undefined;
    names.push(...scope.value.split(/[\s,;]+/));
  }
  return refreshScopes.some((scope) => names.includes(scope)) ? undefined : refreshScopes[0];
}
