import { AUTH_TYPES, type AuthTypeName, fieldsOf } from "../../../spec/auth-types.ts";
import { headOf, type KnownAuth, knownAuths, propose } from "../config.ts";
import { isOwn, quoteLike, removeProperty, replace, skipTrivia } from "../edit.ts";
import type { Fix, PackModel, Property } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "auth-type-not-allowed",
  severity: "error",
  source: "sdk-facts 1",
  about: "systemAuthentication",
  docs: `\`setSystemAuthentication\` is given a type that it does not take.

Types in which a person signs in, such as OAuth2, cannot be shared by all users; the platform rejects the pack. Use \`setUserAuthentication\`, or a type such as OAuth2ClientCredentials. Without an installed Packs SDK this is a warning: the specification does not forbid it.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setSystemAuthentication({ «type: coda.AuthenticationType.OAuth2», authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });\n`,
      toolkit: "installed",
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\npack.setSystemAuthentication({\n  «type: coda.AuthenticationType.OAuth2»,\n  authorizationUrl: "https://login.acme.example/a",\n  tokenUrl: "https://login.acme.example/t",\n  scopes: ["read"],\n  additionalParams: { audience: "api" },\n  useProofKeyForCodeExchange: true, // as they want it\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\npack.setSystemAuthentication({\n  type: coda.AuthenticationType.OAuth2ClientCredentials,\n  tokenUrl: "https://login.acme.example/t",\n  scopes: ["read"],\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({\n  networkDomains: ["acme.example"],\n  systemConnectionAuthentication: { «type: coda.AuthenticationType.OAuth2», authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" },\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({\n  networkDomains: ["acme.example"],\n  defaultAuthentication: { type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" },\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      const systemTypes = pack.toolkit?.systemTypes;
      const isAllowed = AUTH_TYPES[auth.type].system || systemTypes?.has(auth.type) === true;
      if (auth.scope !== "system" || isAllowed) continue;
      const hasUser = pack.auths.some((other) => other.scope === "user");
      const successor = SUCCESSORS[auth.type];
      yield {
        place: headOf(auth),
        severity: pack.toolkit === undefined ? "warning" : "error",
        message: `setSystemAuthentication does not take ${auth.type}, and the platform rejects the pack: what all users share cannot be one person's sign-in. ${hasUser ? `Use ${successor ?? "another type"}.` : `Use setUserAuthentication, or ${successor ?? "another type"}.`}`,
        fixes: () => [...(hasUser ? [] : switchSetter(pack, auth)), ...(successor === undefined ? [] : switchType(pack, auth, successor))],
      };
    }
  },
});

/** The type that does the same for all users. */
const SUCCESSORS: Readonly<Partial<Record<AuthTypeName, AuthTypeName>>> = {
  OAuth2: "OAuth2ClientCredentials",
  CodaApiHeaderBearerToken: "HeaderBearerToken",
  GoogleDomainWideDelegation: "GoogleServiceAccount",
};

function switchSetter(pack: PackModel, auth: KnownAuth): readonly Fix[] {
  if (auth.call !== undefined) return [propose("Change to setUserAuthentication", replace(auth.place, "setUserAuthentication"))];
  // A property of newPack, which may be written as its name alone.
  const source = pack.text(auth.place.file);
  const name = source.slice(auth.place.start, auth.place.end);
  const isShorthand = source[skipTrivia(source, auth.place.end)] !== ":";
  if (/^["']/.test(name)) return [];
  return [propose("Change to defaultAuthentication", replace(auth.place, `defaultAuthentication${isShorthand ? `: ${name}` : ""}`))];
}

/** With the type's name changed, and what the other type does not have taken out. */
function switchType(pack: PackModel, auth: KnownAuth, type: AuthTypeName): readonly Fix[] {
  const { config, typeProperty } = auth;
  const given = typeProperty?.value;
  if (pack.toolkit?.authenticationTypes.has(type) === false || typeProperty === undefined || !isOwn(config, typeProperty)) return [];
  const legal = new Set(fieldsOf(type, auth.scope).map((field) => field.name));
  const isGone = (property: Property): boolean => !legal.has(property.name);
  // What is spread in cannot be taken out from here.
  if (config.open || !config.properties.every((property) => isOwn(config, property) || !isGone(property))) return [];
  const runs: { first: Property; last: Property }[] = [];
  for (const [index, property] of config.properties.entries()) {
    const run = runs.at(-1);
    if (!isGone(property)) continue;
    if (run !== undefined && run.last === config.properties[index - 1]) run.last = property;
    else runs.push({ first: property, last: property });
  }
  const name =
    given?.kind === "member"
      ? replace({ file: given.file, ...given.nameSpan }, type)
      : given?.kind === "string"
        ? replace(given, quoteLike(pack, given, type))
        : undefined;
  if (name === undefined) return [];
  const removals = runs.map(({ first, last }) =>
    removeProperty(pack, config, { ...first, span: { start: first.span.start, end: last.span.end } }),
  );
  return [propose(`Change the type to ${type}`, name, ...removals)];
}
