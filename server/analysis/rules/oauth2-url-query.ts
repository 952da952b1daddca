import { PLATFORM_PARAMS, SECRET_PARAMS } from "../configuration/authorization-request.ts";
import { fieldValue, fix, propertyOf } from "../configuration/config.ts";
import { type QueryPart, queryParts, staticText, withoutQueryParts } from "../domains/url-value.ts";
import type { Fix } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { oauth2, rule, user } from "../rule.ts";
import { insertProperty, isOwn, quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "oauth2-url-query",
  severity: "warning",
  source: "auth-spec 2.3",
  docs: `An \`authorizationUrl\` has a query of its own.

Move the parameters into \`additionalParams\`, where each is encoded and sent once. The platform appends its own parameters to \`authorizationUrl\`, which should have none.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «"https://login.acme.example/authorize?audience=api%20v2&prompt=consent"»,
        tokenUrl: "https://login.acme.example/token",`,
      fixed: oauth2`additionalParams: { audience: "api v2", prompt: "consent" },`,
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «'https://login.acme.example/authorize?audience=api'»,
        tokenUrl: 'https://login.acme.example/token',
        additionalParams: {
          prompt: 'consent',
        },`,
      fixed: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: 'https://login.acme.example/authorize',
        tokenUrl: 'https://login.acme.example/token',
        additionalParams: {
          prompt: 'consent',
          audience: 'api',
        },`,
    },
    {
      good: oauth2`
        additionalParams: { audience: "api" },
        instructionsUrl: "https://acme.example/help?topic=tokens",`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2") return;
      const sourceValue = propertyOf(auth.config, "authorizationUrl")?.value;
      const text = staticText(fieldValue(pack, auth, "authorizationUrl"));
      if (sourceValue === undefined || text === undefined) return;
      // Other rules report secrets and the parameters that the platform sets.
      const parts = queryParts(text).filter(({ name = "" }) => !PLATFORM_PARAMS.has(name) && !SECRET_PARAMS.has(name));
      if (parts.length === 0) return;
      yield {
        place: sourceValue.place,
        message:
          "Move this query into additionalParams, where each parameter is encoded and sent once. The platform appends its own parameters to authorizationUrl.",
        fixes: () => move(pack, auth, sourceValue, parts),
      };
    },
  },
});

/**
 * Moves the parameters to additionalParams. No fix if a name is duplicate, or if the value of additionalParams is outside the
 * configuration.
 */
function move(pack: PackModel, auth: AuthConfig, sourceValue: Expression, parts: readonly QueryPart[]): readonly Fix[] {
  const { config } = auth;
  const names = new Set(parts.map(({ name }) => name));
  const property = propertyOf(config, "additionalParams");
  const holder = property === undefined ? undefined : property.value;
  const isUnambiguous = parts.every(({ name, value }) => name !== undefined && value !== undefined) && names.size === parts.length;
  const isDuplicate = holder?.kind === "object" && holder.properties.some(({ name }) => names.has(name));
  const isWritten = property === undefined ? !config.open : holder?.kind === "object" && isOwn(config, property);
  if (sourceValue.kind !== "string" || !isUnambiguous || isDuplicate || !isWritten) return [];
  const entries = parts.map(({ name = "", value = "" }) => `${nameText(name)}: ${quoteLike(pack, sourceValue.place, value)}`);
  return [
    fix(
      "Move the query into additionalParams",
      replace(sourceValue.place, quoteLike(pack, sourceValue.place, withoutQueryParts(sourceValue.value, parts))),
      holder?.kind === "object"
        ? insertProperty(pack, holder, entries)
        : insertProperty(pack, config, `additionalParams: { ${entries.join(", ")} }`),
    ),
  ];
}

const nameText = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));
