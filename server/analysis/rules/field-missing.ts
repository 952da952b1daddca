import { fieldsOf } from "../../../spec/auth-types.ts";
import type { FieldSpec } from "../../../spec/fields.ts";
import { closestField, fix, headOf, isAbsent, propertyOf, propose } from "../configuration/config.ts";
import { starterValue } from "../configuration/starter-values.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { ConfigField, PackModel } from "../model/pack.ts";
import type { ObjectValue, Property } from "../model/values.ts";
import { pack, rule, source, user } from "../rule.ts";
import { insertProperty, isOwn, replace } from "../text/edit.ts";

export default rule({
  id: "field-missing",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 2.2",
  docs: `A field that the authentication type needs is missing.

Add it. Without it the platform does not know where the credential goes, and rejects the pack.`,
  examples: [
    {
      bad: user`«type: coda.AuthenticationType.CustomHeaderToken»,`,
      change: ["}", '  headerName: "X-API-Key",\n}'],
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [«{ name: "key" }»] });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }] });`,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { more } from "elsewhere";
        export const pack = coda.newPack();
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, ...more });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      for (const field of fieldsOf(auth.type, auth.scope))
        if (isNeeded(field) && isAbsent(pack, auth, field.name))
          yield {
            place: headOf(auth),
            message: `Add ${explained(field)}. The platform rejects ${auth.type} without it.`,
            fixes: () => [insertOrReplace(pack, auth.config, field)],
          };
      // Another rule checks the steps of postSetup.
      for (let index = 0; index < auth.fields.length; index++) {
        const { field, property } = auth.fields[index] as ConfigField;
        if (field.kind === "objectArray" && field.fields !== undefined && !field.lenient) yield* checkItems(pack, property, field.fields);
      }
    },
  },
});

/** Other rules check the type and the OAuth URLs, because the URLs may be discovered. */
const OTHER_RULES: ReadonlySet<string> = new Set(["type", "authorizationUrl", "tokenUrl"]);

const isNeeded = ({ required, name }: FieldSpec): boolean => required === true && !OTHER_RULES.has(name);

/** Returns the field's name and purpose, for the middle of a sentence. */
const explained = ({ name, docs }: FieldSpec): string => `${name} (${docs.charAt(0).toLowerCase()}${docs.slice(1).replace(/\.$/, "")})`;

function* checkItems(pack: PackModel, { name, value }: Property, fields: readonly FieldSpec[]): Iterable<Finding> {
  const list = pack.resolve(value);
  if (list.kind !== "array") return;
  for (const item of list.items) {
    const object = pack.resolve(item);
    if (object.kind !== "object" || object.open) continue;
    for (const field of fields) {
      const property = propertyOf(object, field.name);
      if (!field.required || (property !== undefined && pack.resolve(property.value).kind !== "undefined")) continue;
      // The rule field-unknown reports a field under another name.
      const names = fields.map(({ name }) => name);
      if (object.properties.some((other) => !names.includes(other.name) && closestField(other.name, names) === field.name)) continue;
      yield {
        place: object.place,
        message: `Add ${explained(field)} to this entry of ${name}. The platform rejects the pack without it.`,
        fixes: () =>
          property !== undefined
            ? isOwn(object, property)
              ? [insertOrReplace(pack, object, field)]
              : []
            : [
                // An empty prompt is acceptable, but only the author knows a name.
                (field.name === "description" ? fix : propose)(
                  `Add ${field.name}`,
                  insertProperty(pack, object, `${field.name}: ${starterValue(pack, object.place.file, field)}`),
                ),
              ],
      };
    }
  }
}

function insertOrReplace(pack: PackModel, config: ObjectValue, field: FieldSpec): Fix {
  const property = propertyOf(config, field.name);
  const value = starterValue(pack, config.place.file, field);
  return property === undefined
    ? propose(`Add ${field.name}`, insertProperty(pack, config, `${field.name}: ${value}`))
    : propose(`Give ${field.name} a value`, replace(property.value.place, value));
}
