import { fieldsOf, typesWithField } from "../../../spec/auth-types.ts";
import { BASE_FIELDS, USER_ONLY_FIELDS } from "../../../spec/configuration-fields.ts";
import { nameOf, propertyOf, propose, type ResolvedAuth, removal } from "../configuration/config.ts";
import type { Fix } from "../model/findings.ts";
import type { Property } from "../model/values.ts";
import { bearer, pack, rule, user } from "../rule.ts";
import { isOwn, replace } from "../text/edit.ts";

export default rule({
  id: "field-not-for-type",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 2.2",
  docs: `A configuration has a field that belongs to another authentication type, or to the other setter.

The platform rejects it at upload, and it would have no effect. Remove it, or change the type.`,
  supersedes: ["field-type"],
  examples: [
    {
      bad: bearer`«headerName»: "X-Token",`,
      fixed: user`type: coda.AuthenticationType.HeaderBearerToken,`,
    },
    {
      bad: pack`
        pack.setSystemAuthentication({
          type: coda.AuthenticationType.HeaderBearerToken,
          «defaultConnectionRequirement»: coda.ConnectionRequirement.None,
        });`,
      change: ["defaultConnectionRequirement: coda.ConnectionRequirement.None,", ""],
    },
    { good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Token" });` },
  ],
  on: {
    *auth(pack, auth) {
      const legal = new Set(fieldsOf(auth.type, auth.scope).map((field) => field.name));
      for (const property of auth.config.properties) {
        // A field that the installed SDK declares for the type is legal.
        if (legal.has(property.name) || pack.toolkit?.fieldsByType.get(auth.type)?.has(property.name)) continue;
        const owners = typesWithField(property.name);
        const isBase = BASE_FIELDS.some((field) => field.name === property.name);
        const isUserOnly = USER_ONLY_FIELDS.some((field) => field.name === property.name);
        if (owners.length === 0 && !isBase && !isUserOnly) continue;
        const whose =
          owners.length > 0
            ? `belongs to ${owners.slice(0, 4).join(", ")}`
            : isUserOnly
              ? "belongs to setUserAuthentication"
              : "belongs to types that sign in";
        yield {
          place: nameOf(property),
          message: `Remove ${property.name}, or change the type. The platform rejects it: it ${whose}, not to ${isUserOnly && auth.scope === "system" ? "setSystemAuthentication" : auth.type}.`,
          fixes: () => [...renaming(auth, property, legal), ...removal(pack, auth.config, property)],
        };
      }
    },
  },
});

/** Fields of the same shape that belong to different types. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ["headers", "params"],
  ["params", "headers"],
  ["headerName", "paramName"],
  ["paramName", "headerName"],
]);

function renaming({ config }: ResolvedAuth, property: Property, legal: ReadonlySet<string>): readonly Fix[] {
  const twin = TWINS.get(property.name);
  if (twin === undefined || !legal.has(twin) || propertyOf(config, twin) !== undefined || !isOwn(config, property)) return [];
  const isShorthand = property.span.end === property.nameSpan.end;
  return [propose(`Rename to ${twin}`, replace(nameOf(property), isShorthand ? `${twin}: ${property.name}` : twin))];
}
