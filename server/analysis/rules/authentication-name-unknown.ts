import { closest } from "../../../base/closest.ts";
import { ENUMS } from "../../../spec/fields.ts";
import { formulaOf, isNoStringArray, nameOf, propertyOf, propose, removal, valueIn } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import { pack, rule } from "../rule.ts";
import { quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "authentication-name-unknown",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.8.6",
  source: "sdk-facts-2 8",
  docs: `\`allowedAuthenticationNames\` names an authentication that the pack does not have.

Use the name of one of the pack's admin authentications, \`defaultUserAuthentication\` or \`systemAuthentication\`. The platform rejects the pack at upload otherwise.`,
  examples: [
    {
      bad: pack`
        pack.addAdminAuthentication({
          name: "Admins",
          displayName: "Admins",
          description: "For administrators.",
          authentication: { type: coda.AuthenticationType.HeaderBearerToken },
        });
        formula Read, allowedAuthenticationNames: [«"Admin"»] {}`,
      change: ['"Admin"', '"Admins"'],
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        formula Read, allowedAuthenticationNames: ["defaultUserAuthentication"] {}`,
    },
  ],
  on: {
    *runnable(pack, runnable) {
      const formula = formulaOf(pack, runnable);
      const property = formula && propertyOf(formula, "allowedAuthenticationNames");
      if (formula === undefined || property === undefined) return;
      if (isNoStringArray(pack, property)) {
        yield { place: property.value.place, message: `Write allowedAuthenticationNames as an array of strings. ${REJECTED}` };
        return;
      }
      const list = pack.resolve(property.value);
      if (list.kind !== "array") return;
      const requirement = valueIn(pack, runnable.definition, "connectionRequirement") ?? valueIn(pack, formula, "connectionRequirement");
      const isNone =
        requirement?.kind === "member"
          ? requirement.enum === "ConnectionRequirement" && requirement.name === "None"
          : requirement?.kind === "string" && requirement.value === ENUMS.ConnectionRequirement.None;
      if (isNone)
        yield {
          place: nameOf(property),
          message: `Remove allowedAuthenticationNames, or let the formula need an account: its connectionRequirement is None. ${REJECTED}`,
          fixes: () => removal(pack, formula, property),
        };
      const names = readAuthenticationNames(pack);
      if (names === undefined) return;
      for (const item of list.items) {
        const name = pack.resolve(item);
        if (name.kind !== "string" || names.includes(name.value)) continue;
        const near = closest(name.value, names);
        yield {
          place: item.place,
          message: `Name an authentication of the pack: ${names.join(", ")}. ${REJECTED}`,
          fixes: () =>
            near === undefined || name.place !== item.place
              ? []
              : [propose(`Change to ${near}`, replace(name.place, quoteLike(pack, name.place, near)))],
        };
      }
    },
  },
});

const REJECTED = "The platform rejects the pack otherwise.";

/** Names that need no declaration. */
const RESERVED = ["defaultUserAuthentication", "systemAuthentication"];

/** Returns the declared names, or undefined if there may be others. */
function readAuthenticationNames(pack: PackModel): readonly string[] | undefined {
  const calls = pack.facts.flatMap((file) => file.calls.filter(({ method }) => method === "addAdminAuthentication"));
  const admins = pack.adminAuthentications;
  if (pack.partial || !pack.complete.users || calls.length !== admins.length) return undefined;
  const names = admins.flatMap(({ definition }) => {
    const name = valueIn(pack, definition, "name");
    return name?.kind === "string" ? name.value : [];
  });
  return names.length === admins.length ? [...names, ...RESERVED] : undefined;
}
