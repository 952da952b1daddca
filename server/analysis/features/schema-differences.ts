// Compares the schema of a formula or table with the fields of an API's response. Each difference has the edit that resolves it.
import { defined } from "../../../base/defined.ts";
import type { EditableDifference, SchemaField } from "../../../protocol/editor.ts";
import { spelling } from "../../../spec/spelling.ts";
import { propertyOf, textIn } from "../configuration/config.ts";
import { nameOfRunnable, rowProperties } from "../configuration/runnable.ts";
import type { TextEdit } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Place, Property } from "../model/values.ts";
import { eolOf, indentOf, insertProperty, isOwn, quoteIn, removeProperty, replace } from "../text/edit.ts";

/** The key is that of the field in the response. The types are names of ValueType: that of the schema, and that of the response. */
interface SchemaDifference extends Omit<EditableDifference<never>, "edit"> {
  readonly edits: readonly TextEdit[];
}

/** Returns undefined if the source has no schema for the name, or if the schema cannot be determined. */
export function schemaDifferences(pack: PackModel, name: string, fields: readonly SchemaField[]): readonly SchemaDifference[] | undefined {
  const runnable = pack.runnables.find((each) => nameOfRunnable(pack, each) === name);
  const properties = runnable && rowProperties(pack, runnable.definition);
  if (properties === undefined || properties.open) return undefined;
  const schemaProperties = properties.properties.map((property) => readProperty(pack, property));
  const differences: SchemaDifference[] = [];
  const came = new Set<Property>();
  for (const field of fields) {
    const match = schemaProperties.find(({ key }) => key === field.key);
    if (match !== undefined) {
      came.add(match.property);
      const { type } = match;
      if (type !== undefined && field.type !== undefined && type.name !== field.type)
        differences.push({
          kind: "type",
          property: match.property.name,
          types: [type.name, field.type],
          edits: [replace(type.place, field.type)],
        });
      continue;
    }
    const alike = schemaProperties.find(({ property, hasOwnKey }) => !hasOwnKey && spelling(property.name) === spelling(field.key));
    if (alike?.object !== undefined && !fields.some(({ key }) => key === alike.property.name)) {
      came.add(alike.property);
      const edit = insertProperty(pack, alike.object, `fromKey: ${quoteIn(pack, alike.object, field.key)}`);
      differences.push({ kind: "spelling", property: alike.property.name, key: field.key, edits: [edit] });
    } else if (!schemaProperties.some(({ property }) => property.name === field.property))
      differences.push({ kind: "missing", property: field.property, key: field.key, edits: [addition(pack, properties, field)] });
  }
  for (const { property, key } of schemaProperties)
    if (!came.has(property) && key !== undefined && isOwn(properties, property))
      differences.push({ kind: "never", property: property.name, edits: [removeProperty(pack, properties, property)] });
  return differences;
}

interface SchemaProperty {
  readonly property: Property;
  readonly object?: ObjectValue;
  /** The key of the value in the response; absent if the source does not determine it. */
  readonly key?: string;
  readonly hasOwnKey: boolean;
  readonly type?: { readonly name: string; readonly place: Place };
}

function readProperty(pack: PackModel, property: Property): SchemaProperty {
  const value = pack.resolve(property.value);
  if (value.kind !== "object") return { property, hasOwnKey: false };
  const fromKey = propertyOf(value, "fromKey");
  const type = propertyOf(value, "type")?.value;
  const named =
    type?.kind === "reference" && type.path.at(-2) === "ValueType" ? { name: type.path.at(-1) ?? "", place: type.nameSpan } : undefined;
  const key = fromKey === undefined ? property.name : textIn(pack, value, "fromKey");
  return { property, object: value, hasOwnKey: fromKey !== undefined, ...defined({ type: named, key: value.open ? undefined : key }) };
}

function addition(pack: PackModel, properties: ObjectValue, { source }: SchemaField): TextEdit {
  const text = pack.text(properties.place.file);
  const indent = indentOf(text, properties.members?.start ?? properties.place.start);
  return insertProperty(pack, properties, source.replaceAll("\n", `${eolOf(text)}${indent}`));
}
