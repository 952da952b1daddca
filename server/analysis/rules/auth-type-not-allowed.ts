import { AUTH_TYPES, type AuthTypeName, fieldsOf } from "../../../spec/auth-types.ts";
import { headOf, propose, type ResolvedAuth } from "../configuration/config.ts";
import { typeText } from "../configuration/starter-values.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Property } from "../model/values.ts";
import { pack, rule, source } from "../rule.ts";
import { isOwn, removeProperty, replace, skipTrivia } from "../text/edit.ts";
import { between } from "../text/place.ts";

export default rule({
  id: "auth-type-not-allowed",
  severity: "error",
  verdict: "will-be-rejected",
  source: "sdk-facts 1",
  docs: `\`setSystemAuthentication\` has a type that it does not support.

Use \`setUserAuthentication\`, or a type such as OAuth2ClientCredentials. The platform rejects the pack otherwise. Types in which a person signs in, such as OAuth2, cannot be shared by all users. Without an installed Packs SDK this is a warning, because the specification does not forbid it.`,
  examples: [
    {
      bad: pack`pack.setSystemAuthentication({ «type: coda.AuthenticationType.OAuth2», authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });`,
      toolkit: "installed",
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
        pack.setSystemAuthentication({
          «type: coda.AuthenticationType.OAuth2»,
          authorizationUrl: "https://login.acme.example/a",
          tokenUrl: "https://login.acme.example/t",
          scopes: ["read"],
          additionalParams: { audience: "api" },
          useProofKeyForCodeExchange: true, // as they want it
        });`,
      fixed: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
        pack.setSystemAuthentication({
          type: coda.AuthenticationType.OAuth2ClientCredentials,
          tokenUrl: "https://login.acme.example/t",
          scopes: ["read"],
        });`,
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack({
          networkDomains: ["acme.example"],
          systemConnectionAuthentication: { «type: coda.AuthenticationType.OAuth2», authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" },
        });`,
      change: ["systemConnectionAuthentication", "defaultAuthentication"],
    },
    { good: pack`pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });` },
  ],
  on: {
    *auth(pack, auth) {
      const systemTypes = pack.toolkit?.systemTypes;
      const isAllowed = AUTH_TYPES[auth.type].system || systemTypes?.has(auth.type) === true;
      if (auth.scope !== "system" || isAllowed) return;
      const hasUser = pack.auths.some((other) => other.scope === "user");
      const successor = SUCCESSORS[auth.type];
      yield {
        place: headOf(auth),
        severity: pack.toolkit === undefined ? "warning" : "error",
        message: `${hasUser ? `Use ${successor ?? "another type"}.` : `Use setUserAuthentication, or ${successor ?? "another type"}.`} The platform rejects setSystemAuthentication with ${auth.type}: all users share it, so it cannot be one person's sign-in.`,
        fixes: () => [...(hasUser ? [] : switchSetter(pack, auth)), ...(successor === undefined ? [] : switchType(pack, auth, successor))],
      };
    },
  },
});

/** The type with the same effect for all users. */
const SUCCESSORS: Readonly<Partial<Record<AuthTypeName, AuthTypeName>>> = {
  OAuth2: "OAuth2ClientCredentials",
  CodaApiHeaderBearerToken: "HeaderBearerToken",
  GoogleDomainWideDelegation: "GoogleServiceAccount",
};

function switchSetter(pack: PackModel, auth: ResolvedAuth): readonly Fix[] {
  if (auth.call !== undefined) return [propose("Change to setUserAuthentication", replace(auth.place, "setUserAuthentication"))];
  // A property of newPack, which may be a shorthand.
  const source = pack.text(auth.place.file);
  const name = source.slice(auth.place.start, auth.place.end);
  const isShorthand = source[skipTrivia(source, auth.place.end)] !== ":";
  if (/^["']/.test(name)) return [];
  return [propose("Change to defaultAuthentication", replace(auth.place, `defaultAuthentication${isShorthand ? `: ${name}` : ""}`))];
}

/** Changes the type's name, and removes the fields that the new type does not have. */
function switchType(pack: PackModel, auth: ResolvedAuth, type: AuthTypeName): readonly Fix[] {
  const { config, typeProperty } = auth;
  const typeValue = typeProperty?.value;
  if (pack.toolkit?.authenticationTypes.has(type) === false || typeProperty === undefined || !isOwn(config, typeProperty)) return [];
  const legal = new Set(fieldsOf(type, auth.scope).map((field) => field.name));
  const isGone = (property: Property): boolean => !legal.has(property.name);
  // Fields from a spread cannot be removed here.
  if (config.open || !config.properties.every((property) => isOwn(config, property) || !isGone(property))) return [];
  const runs: { first: Property; last: Property }[] = [];
  for (const [index, property] of config.properties.entries()) {
    const run = runs.at(-1);
    if (!isGone(property)) continue;
    if (run !== undefined && run.last === config.properties[index - 1]) run.last = property;
    else runs.push({ first: property, last: property });
  }
  const name =
    typeValue?.kind === "member"
      ? replace(typeValue.nameSpan, type)
      : typeValue?.kind === "string"
        ? replace(typeValue.place, typeText(pack, typeValue, type))
        : undefined;
  if (name === undefined) return [];
  const removals = runs.map(({ first, last }) => removeProperty(pack, config, { ...first, span: between(first.span, last.span) }));
  return [propose(`Change the type to ${type}`, name, ...removals)];
}
