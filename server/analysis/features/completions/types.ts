// The authentication types that may be chosen: those that the setter accepts and the installed Packs SDK has.
import { AUTH_TYPES, type AuthScope, type AuthTypeSpec } from "../../../../spec/auth-types.ts";
import { foreignFields } from "../../configuration/config.ts";
import { isPlatformDomain } from "../../domains/hosts.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";

/** The types that most packs use; they are offered first, in this order. */
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
      // The type is for the platform's own API only.
      .filter(({ name }) => name !== "CodaApiHeaderBearerToken" || pack.domains.declared.every(({ value }) => isPlatformDomain(value)))
      .sort((a, b) => rank(a) - rank(b))
  );
}

/** Returns the offered types, ordered by the number of the configuration's fields that are not theirs, fewest first. */
export const typeChoices = (pack: PackModel, auth: Pick<AuthConfig, "config" | "scope" | "isAdmin">): readonly string[] =>
  offeredTypes(pack, auth.scope)
    .filter(({ name }) => name !== "None" || !auth.isAdmin)
    .map(({ name }) => ({ name, foreign: foreignFields(auth, name) }))
    .sort((a, b) => a.foreign - b.foreign)
    .map(({ name }) => name);
