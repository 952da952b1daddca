import { closest } from "../../../base/closest.ts";
import { ENUMS } from "../../../spec/fields.ts";
import { fix, isNewerValue, mayBeNewer, propertyOf, respell } from "../configuration/config.ts";
import { mayUseDefault } from "../configuration/default-requirement.ts";
import { misspeltField } from "../configuration/misspelt-field.ts";
import { enumText } from "../configuration/starter-values.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Property, Value } from "../model/values.ts";
import { pack, rule } from "../rule.ts";
import { builtInOf } from "../syntax/expressions.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "requirement-unknown",
  severity: "error",
  source: "auth-spec 2.1",
  docs: `A connection requirement has an unknown name.

Formulas and sync tables need an account (\`ConnectionRequirement.Required\`), may use one (\`Optional\`) or use none (\`None\`). The platform rejects any other string. A member that does not exist is \`undefined\`, and the default is silently used instead.`,
  supersedes: ["field-type", "requirement-without-auth"],
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.«Require» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.Required });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: «true» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.Required });`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
        pack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: «"None" as any», execute: async () => "" });
        pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });`,
      change: ['"None" as any', "coda.ConnectionRequirement.None"],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
        pack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, «conectionRequirement»: coda.ConnectionRequirement.Optional, execute: async () => "" });`,
      change: ["conectionRequirement", "connectionRequirement"],
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: "none" as any });
        pack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.Optional, execute: async () => "" });`,
    },
  ],
  on: {
    *configuration(pack, { config, type }) {
      // The platform does not read the field with the type None.
      if (type !== "None") yield* checkRequirement(pack, propertyOf(config, "defaultConnectionRequirement"), true);
    },
    *runnable(pack, { definition }) {
      yield* checkRequirement(pack, propertyOf(definition, "connectionRequirement"), false);
      yield* misspeltField(definition, "connectionRequirement");
    },
  },
});

function* checkRequirement(pack: PackModel, property: Property | undefined, isDefault: boolean): Iterable<Finding> {
  const value = property === undefined ? undefined : pack.resolve(property.value);
  if (property === undefined || value === undefined || isRequirement(pack, value)) return;
  const name =
    value.kind === "member"
      ? value.name
      : value.kind === "string"
        ? value.value
        : pack.text(value.place.file).slice(value.place.start, value.place.end);
  const own = property.value.kind === "member" && property.value.enum === "ConnectionRequirement" ? property.value : undefined;
  const members = Object.keys(ENUMS.ConnectionRequirement);
  // A negated name is similar to the member that it negates: `NotRequired`.
  const near = closest(name, NEGATION.test(name) ? ["None"] : members);
  const first = value.kind === "boolean" ? "Required" : near;
  const offered = first === undefined ? members : [first, ...members.filter((member) => member !== first)];
  const isUnread = isDefault && !mayUseDefault(pack);
  const consequence =
    value.kind === "member"
      ? ", so the default takes its place"
      : isUnread
        ? ": the platform rejects the pack once a formula has none of its own"
        : ": the platform rejects the pack";
  yield {
    ...(isUnread || mayBeNewer(pack, value) ? { severity: "warning" as const } : {}),
    ...(value.kind === "member" ? {} : { verdict: "will-be-rejected" as const }),
    place: own === undefined ? property.value.place : own.nameSpan,
    message: `Use None, Optional or Required. There is no connection requirement ${name}${consequence}.`,
    fixes: () =>
      property.value.kind === "reference"
        ? []
        : offered.map((member) =>
            (member === near ? respell : fix)(
              `Change to ${member}`,
              own === undefined
                ? replace(property.value.place, enumText(pack, property.value.place.file, "ConnectionRequirement", member))
                : replace(own.nameSpan, member),
            ),
          ),
  };
}

const NEGATION = /^(?:no|un)/i;

/** Returns whether the value is a member, unknown, or nothing, for which the platform uses the default. */
function isRequirement(pack: PackModel, value: Value): boolean {
  const members: Readonly<Record<string, string>> = ENUMS.ConnectionRequirement;
  switch (value.kind) {
    case "member":
      return (
        value.enum === "ConnectionRequirement" &&
        (Object.hasOwn(members, value.name) || pack.toolkit?.enums.get("ConnectionRequirement")?.has(value.name) === true)
      );
    case "string":
      return value.value === "" || Object.values(members).includes(value.value) || isNewerValue(pack, "ConnectionRequirement", value.value);
    case "boolean":
      return !value.value;
    case "number":
      return value.value === 0;
    case "array":
    case "object":
    case "function":
      return false;
    default:
      return builtInOf(value) === undefined;
  }
}
