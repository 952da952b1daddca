import { ENUMS } from "../../../spec/fields.ts";
import { propertyOf, removal } from "../config.ts";
import type { ObjectValue, PackModel } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "requirement-without-auth",
  severity: "error",
  source: "sdk-facts 2",
  about: "requirement",
  docs: `A formula or sync table wants an account, and the pack has no user authentication.

There is nothing to connect, so the platform rejects the pack; system authentication alone does not count, since its account is everyone's. Call \`pack.setUserAuthentication\`, or remove \`connectionRequirement\`.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  connectionRequirement: «coda.ConnectionRequirement.Required»,\n  execute: async () => "",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async () => "",\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addFormula({ name: "Hi", description: "Hi.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None, execute: async () => "" });\n`,
    },
  ],
  *check(pack) {
    if (!pack.authsComplete) return;
    // A type that cannot be read may be any.
    if (pack.auths.some((auth) => auth.scope === "user" && auth.type !== "None")) return;
    for (const { kind, definition: whole } of pack.runnables) {
      // A sync table's formula has its own where the table has none.
      const definition = kind === "syncTable" && propertyOf(whole, "connectionRequirement") === undefined ? getterOf(pack, whole) : whole;
      const property = propertyOf(definition, "connectionRequirement");
      const value = property === undefined ? undefined : pack.resolve(property.value);
      const isWanted =
        value?.kind === "member"
          ? value.enum === "ConnectionRequirement" && (value.name === "Required" || value.name === "Optional")
          : value?.kind === "string" &&
            (value.value === ENUMS.ConnectionRequirement.Required || value.value === ENUMS.ConnectionRequirement.Optional);
      if (!isWanted || property === undefined) continue;
      yield {
        place: property.value,
        message: `This ${kind === "formula" ? "formula" : "sync table"} uses an account, and the pack has no user authentication to connect one with: the platform rejects the pack. Call pack.setUserAuthentication, or remove connectionRequirement.`,
        // To have users connect an account is the other way.
        fixes: () => removal(pack, definition, property),
      };
    }
  },
});

function getterOf(pack: PackModel, table: ObjectValue): ObjectValue {
  const formula = propertyOf(table, "formula");
  const value = formula === undefined ? undefined : pack.resolve(formula.value);
  return value?.kind === "object" ? value : table;
}
