import { fieldsOf } from "../../../spec/auth-types.ts";
import type { FieldSpec } from "../../../spec/fields.ts";
import { fix, headOf, isAbsent, knownAuths, propertyOf, propose, starterValue } from "../config.ts";
import { insertProperty, replace } from "../edit.ts";
import { keptWith } from "../kept-with.ts";
import type { Finding, Fix, GivenField, ObjectValue, PackModel, Property } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "field-missing",
  severity: "error",
  source: "auth-spec 2.2",
  about: "knownType",
  docs: `A field that the authentication type needs is absent.

Without it the platform would not know where the credential goes, and rejects the pack. Add it.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  «type: coda.AuthenticationType.CustomHeaderToken»,\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.CustomHeaderToken,\n  headerName: "X-API-Key",\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [«{ name: "key" }»] });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nimport { more } from "elsewhere";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, ...more });\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      for (const field of needed(fieldsOf(auth.type, auth.scope)))
        if (isAbsent(pack, auth, field.name))
          yield {
            place: headOf(auth),
            message: `${auth.type} needs ${explained(field)}, and the platform rejects the pack without it.`,
            fixes: () => [insertOrReplace(pack, auth.config, field)],
          };
      // Steps of postSetup have a rule of their own.
      for (let index = 0; index < auth.given.length; index++) {
        const { field, property } = auth.given[index] as GivenField;
        if (field.kind === "objectArray" && field.fields !== undefined && !field.lenient) yield* checkItems(pack, property, field.fields);
      }
    }
  },
});

/** The OAuth URLs have rules of their own: they may be discovered. */
const OTHER_RULES: ReadonlySet<string> = new Set(["type", "authorizationUrl", "tokenUrl"]);

const needed = keptWith((fields: readonly FieldSpec[]) => fields.filter(({ required, name }) => required && !OTHER_RULES.has(name)));

/** The name, and what it is for, inside a sentence. */
const explained = ({ name, docs }: FieldSpec): string => `${name} (${docs.charAt(0).toLowerCase()}${docs.slice(1).replace(/\.$/, "")})`;

function* checkItems(pack: PackModel, { name, value }: Property, fields: readonly FieldSpec[]): Iterable<Finding> {
  const list = pack.resolve(value);
  if (list.kind !== "array") return;
  for (const item of list.items) {
    const object = pack.resolve(item);
    if (object.kind !== "object" || object.open) continue;
    for (const field of fields) {
      if (!field.required || propertyOf(object, field.name) !== undefined) continue;
      yield {
        place: object,
        message: `This entry of ${name} needs ${explained(field)}, and the platform rejects the pack without it.`,
        fixes: () => [
          // A prompt may be left blank; what a name should be, only the author knows.
          (field.name === "description" ? fix : propose)(
            `Add ${field.name}`,
            insertProperty(pack, object, `${field.name}: ${starterValue(pack, object.file, field, { filled: true })}`),
          ),
        ],
      };
    }
  }
}

function insertOrReplace(pack: PackModel, config: ObjectValue, field: FieldSpec): Fix {
  const property = propertyOf(config, field.name);
  const value = starterValue(pack, config.file, field, { filled: true });
  return property === undefined
    ? propose(`Add ${field.name}`, insertProperty(pack, config, `${field.name}: ${value}`))
    : propose(`Give ${field.name} a value`, replace(property.value, value));
}
