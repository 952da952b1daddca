// The types that may be chosen: those that the setter takes and the installed toolkit has.
import { AUTH_TYPES, type AuthScope, type AuthTypeSpec } from "../../../../spec/auth-types.ts";
import { foreignFields } from "../../configuration/config.ts";
import { isPlatformDomain } from "../../domains/hosts.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";

/** In the order in which they are offered: those that most packs use first. */
const USUAL = ["HeaderBearerToken", "OAuth2", "CustomHeaderToken", "QueryParamToken", "WebBasic", "Custom"];

export function offeredTypes(pack: PackModel, scope: AuthScope): readonly AuthTypeSpec[] {
  const rank = ({ name }: AuthTypeSpec): number => (USUAL.indexOf(name) + USUAL.length + 1) % (USUAL.length + 1);
  return (
    Object.values(AUTH_TYPES)
      .filter((type) => !type.isHidden && (scope === "user" || (type.system && type.name !== "None")))
      .filter(
        ({ name }) =>
          pack.toolkit === undefined ||
          (pack.toolkit.authenticationTypes.has(name) && (scope === "user" || pack.toolkit.systemTypes.has(name))),
      )
      // For the platform's own API alone.
      .filter(({ name }) => name !== "CodaApiHeaderBearerToken" || pack.domains.declared.every(({ value }) => isPlatformDomain(value)))
      .sort((a, b) => rank(a) - rank(b))
  );
}

/** The types by the fields of others that the configuration has for each: the one that has what is written comes first. */
export const typeChoices = (pack: PackModel, auth: Pick<AuthConfig, "config" | "scope" | "isAdmin">): readonly string[] =>
  offeredTypes(pack, auth.scope)
    .filter(({ name }) => name !== "None" || auth.isAdmin !== true)
    .map(({ name }) => ({ name, foreign: foreignFields(auth, name) }))
    .sort((a, b) => a.foreign - b.foreign)
    .map(({ name }) => name);
