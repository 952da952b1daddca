import { ENUMS } from "../../../spec/fields.ts";
import { closest } from "../closest.ts";
import { enumText, fix, isNewerValue, mayBeNewer, propertyOf, respell } from "../config.ts";
import { replace } from "../edit.ts";
import type { PackModel, Property, Value } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "requirement-unknown",
  severity: "error",
  source: "auth-spec 2.1",
  about: "requirement",
  docs: `A connection requirement is none that there is.

Formulas and sync tables need an account (\`ConnectionRequirement.Required\`), may use one (\`Optional\`) or use none (\`None\`). The platform rejects any other text; a member that does not exist is \`undefined\`, and the default silently takes its place.`,
  supersedes: ["field-type", "requirement-without-auth"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.«Require» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.Required });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\npack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: «"None" as any», execute: async () => "" });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\npack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None, execute: async () => "" });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: "none" as any });\npack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.Optional, execute: async () => "" });\n`,
    },
  ],
  *check(pack) {
    const given: readonly (Property | undefined)[] = [
      // With None nothing reads it.
      ...pack.auths.flatMap(({ config, type }) => (type === "None" ? [] : propertyOf(config, "defaultConnectionRequirement"))),
      ...pack.runnables.map(({ definition }) => propertyOf(definition, "connectionRequirement")),
    ];
    for (const property of given) {
      const value = property === undefined ? undefined : pack.resolve(property.value);
      if (property === undefined || value === undefined || isRequirement(pack, value)) continue;
      const name =
        value.kind === "member" ? value.name : value.kind === "string" ? value.value : pack.text(value.file).slice(value.start, value.end);
      const own = property.value.kind === "member" && property.value.enum === "ConnectionRequirement" ? property.value : undefined;
      const members = Object.keys(ENUMS.ConnectionRequirement);
      const near = closest(name, members);
      const offered = near === undefined ? members : [near, ...members.filter((member) => member !== near)];
      yield {
        ...(mayBeNewer(pack, value) ? { severity: "warning" as const } : {}),
        place: own === undefined ? property.value : { file: own.file, ...own.nameSpan },
        message: `There is no connection requirement ${name}${value.kind === "member" ? ", so the default takes its place" : ": the platform rejects the pack"}. There are None, Optional and Required.`,
        fixes: () =>
          property.value.kind === "reference"
            ? []
            : offered.map((member) =>
                (member === near ? respell : fix)(
                  `Change to ${member}`,
                  own === undefined
                    ? replace(property.value, enumText(pack, property.value.file, "ConnectionRequirement", member))
                    : replace({ file: own.file, ...own.nameSpan }, member),
                ),
              ),
      };
    }
  },
});

/** One that there is, or one that is not known, or nothing, for which the default stands. */
function isRequirement(pack: PackModel, value: Value): boolean {
  const { ConnectionRequirement: known } = ENUMS;
  switch (value.kind) {
    case "member":
      return (
        value.enum === "ConnectionRequirement" &&
        (Object.hasOwn(known, value.name) || pack.toolkit?.enums.get("ConnectionRequirement")?.has(value.name) === true)
      );
    case "string":
      return value.value === "" || Object.values(known).includes(value.value) || isNewerValue(pack, "ConnectionRequirement", value.value);
    case "boolean":
      return !value.value;
    case "number":
      return value.value === 0;
    case "array":
    case "object":
    case "function":
      return false;
    default:
      return true;
  }
}
