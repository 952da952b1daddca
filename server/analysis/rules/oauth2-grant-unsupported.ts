import { describeToolkit } from "../../../protocol/verdict.ts";
import { isOAuth, type RequestParam, requestParams, urlParams } from "../configuration/authorization-request.ts";
import { nameOf, removal } from "../configuration/config.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { oauth2, rule, user } from "../rule.ts";

export default rule({
  id: "oauth2-grant-unsupported",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 5.5.2",
  docs: `A configuration asks for an OAuth grant that the platform does not have.

Remove it. OAuth2 supports only the authorization code grant: the user returns with a code, and the platform exchanges it. With another \`response_type\` or \`grant_type\` there is no code. For client credentials use the type OAuth2ClientCredentials, if the installed Packs SDK has it.`,
  supersedes: ["oauth2-reserved-param", "auth-type-unknown", "field-unknown"],
  examples: [
    { bad: oauth2`additionalParams: { «response_type»: "token" },`, fixed: oauth2`` },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/authorize",
        tokenUrl: "https://login.acme.example/token?«grant_type=client_credentials»",`,
    },
    {
      good: oauth2`
        additionalParams: { grant_type: "authorization_code" },

        pack.setSystemAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.acme.example/token" });`,
    },
  ],
  on: {
    *configuration(pack, auth) {
      const place = missingType(pack, auth);
      if (place !== undefined)
        yield {
          place,
          verdict: "will-be-rejected",
          message: `Install a newer Packs SDK${auth.type === "OAuth2" ? "" : ", or use OAuth2 where the provider offers it"}. The installed ${describeToolkit(pack.toolkit?.version)} has no type ${String(auth.type)}, and the platform rejects the pack.`,
        };
    },
    *auth(pack, auth) {
      if (!isOAuth(auth)) return;
      const grantType = auth.type === "OAuth2" ? "authorization_code" : "client_credentials";
      const params = [...requestParams(pack, auth), ...urlParams(pack, auth, "tokenUrl")];
      for (const param of params.filter((candidate) => isOther(candidate, grantType)))
        yield {
          place: param.place,
          message: `Remove ${param.name}=${String(param.value)}${auth.type === "OAuth2" ? ", or use the type OAuth2ClientCredentials for client credentials. OAuth2 supports the authorization code grant alone, so the sign-in would give no token" : ". OAuth2ClientCredentials asks for client_credentials itself"}.`,
          fixes: () => param.remove(),
        };
      for (const property of auth.config.properties) {
        const isOurs = GRANT_FIELDS.has(property.name) && !pack.toolkit?.fields.has(property.name);
        const value = isOurs ? pack.resolve(property.value) : undefined;
        if (value?.kind !== "string" || value.value === "code" || value.value === grantType) continue;
        yield {
          place: nameOf(property),
          verdict: "will-be-rejected",
          message: `Remove ${property.name}${auth.type === "OAuth2" ? ", or use the type OAuth2ClientCredentials for client credentials" : ""}. ${auth.type} has ${grantType} alone, and the platform rejects the field.`,
          fixes: () => removal(pack, auth.config, property),
        };
      }
    },
  },
});

/** Names of the field in other OAuth libraries. */
const GRANT_FIELDS: ReadonlySet<string> = new Set(["grantType", "grant_type", "responseType", "response_type"]);

function isOther({ name, value, in: where }: RequestParam, grantType: string): boolean {
  if (value === undefined || value === "") return false;
  return name === "response_type" ? where !== "tokenUrl" && value !== "code" : name === "grant_type" && value !== grantType;
}

/** Returns the place of an OAuth type that the installed SDK lacks. */
function missingType(pack: PackModel, auth: AuthConfig): Place | undefined {
  const isMissing =
    (auth.type === "OAuth2" || auth.type === "OAuth2ClientCredentials") && pack.toolkit?.authenticationTypes.has(auth.type) === false;
  if (!isMissing || auth.typeProperty === undefined) return undefined;
  const value = pack.resolve(auth.typeProperty.value);
  return value.kind === "member" ? value.nameSpan : value.place;
}
