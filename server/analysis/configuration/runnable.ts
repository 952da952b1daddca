// What the source tells of a formula or a table: its name, and the properties of its rows.
import type { PackModel, RunnableFact } from "../model/pack.ts";
import type { ObjectValue, Value } from "../model/values.ts";

/** Undefined where the source does not tell. */
export function nameOfRunnable(pack: PackModel, { definition }: Pick<RunnableFact, "definition">): string | undefined {
  const property = definition.properties.find(({ name }) => name === "name");
  const text = property === undefined ? undefined : pack.resolve(property.value);
  return text?.kind === "string" ? text.value : undefined;
}

/** Undefined where there is no schema, or the source does not tell it. */
export function rowProperties(pack: PackModel, definition: ObjectValue): ObjectValue | undefined {
  const schema = objectAt(pack, definition, "schema") ?? objectAt(pack, definition, "items");
  const row = schema && (objectAt(pack, schema, "items") ?? schema);
  return row && objectAt(pack, row, "properties");
}

function objectAt(pack: PackModel, { properties }: ObjectValue, name: string): ObjectValue | undefined {
  const value: Value | undefined = properties.findLast((property) => property.name === name)?.value;
  const resolved = value && pack.resolve(value);
  return resolved?.kind === "object" ? resolved : undefined;
}
