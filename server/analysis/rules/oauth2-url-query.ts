import { codeAuths, PLATFORM_PARAMS, SECRET_PARAMS } from "../authorization-request.ts";
import { fieldValue, fix, propertyOf } from "../config.ts";
import { insertProperty, isOwn, quoteLike, replace } from "../edit.ts";
import type { AuthConfig, Fix, PackModel, Value } from "../model.ts";
import { rule } from "../rule.ts";
import { knownText, type QueryPart, queryParts, withoutQueryParts } from "../url-value.ts";

export default rule({
  id: "oauth2-url-query",
  severity: "warning",
  source: "auth-spec 2.3",
  about: "addedParam",
  docs: `An \`authorizationUrl\` has a query of its own.

The platform appends its parameters to the URL, which is meant to be a base without any. Put further parameters into \`additionalParams\`: there they are encoded, and each is sent once.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: «"https://login.acme.example/authorize?audience=api%20v2&prompt=consent"»,\n  tokenUrl: "https://login.acme.example/token",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  additionalParams: { audience: "api v2", prompt: "consent" },\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: «'https://login.acme.example/authorize?audience=api'»,\n  tokenUrl: 'https://login.acme.example/token',\n  additionalParams: {\n    prompt: 'consent',\n  },\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: 'https://login.acme.example/authorize',\n  tokenUrl: 'https://login.acme.example/token',\n  additionalParams: {\n    prompt: 'consent',\n    audience: 'api',\n  },\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n  additionalParams: { audience: "api" },\n  instructionsUrl: "https://acme.example/help?topic=tokens",\n});\n`,
    },
  ],
  types: ["OAuth2"],
  fields: ["authorizationUrl"],
  *check(pack) {
    for (const auth of codeAuths(pack)) {
      const given = propertyOf(auth.config, "authorizationUrl")?.value;
      const text = knownText(fieldValue(pack, auth, "authorizationUrl"));
      if (given === undefined || text === undefined) continue;
      // What the platform sets itself, and secrets, have rules of their own.
      const parts = queryParts(text).filter(({ name = "" }) => !PLATFORM_PARAMS.has(name) && !SECRET_PARAMS.has(name));
      if (parts.length === 0) continue;
      yield {
        place: given,
        message:
          "authorizationUrl has a query, and the platform appends its own parameters to the URL. Put yours into additionalParams, where each is encoded and sent once.",
        fixes: () => move(pack, auth, given, parts),
      };
    }
  },
});

/** Into additionalParams; none where a name is there twice, or what would hold it is not written out in the configuration. */
function move(pack: PackModel, auth: AuthConfig, given: Value, parts: readonly QueryPart[]): readonly Fix[] {
  const { config } = auth;
  const names = new Set(parts.map(({ name }) => name));
  const property = propertyOf(config, "additionalParams");
  const holder = property === undefined ? undefined : property.value;
  const isKnown = parts.every(({ name, value }) => name !== undefined && value !== undefined) && names.size === parts.length;
  const taken = holder?.kind === "object" && holder.properties.some(({ name }) => names.has(name));
  const isWritten = property === undefined ? !config.open : holder?.kind === "object" && isOwn(config, property);
  if (given.kind !== "string" || !isKnown || taken || !isWritten) return [];
  const entries = parts.map(({ name = "", value = "" }) => `${nameText(name)}: ${quoteLike(pack, given, value)}`);
  return [
    fix(
      "Move the query into additionalParams",
      replace(given, quoteLike(pack, given, withoutQueryParts(given.value, parts))),
      holder?.kind === "object"
        ? insertProperty(pack, holder, entries)
        : insertProperty(pack, config, `additionalParams: { ${entries.join(", ")} }`),
    ),
  ];
}

const nameText = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));
