// What the source tells of a formula or a table: its name, and the properties of its rows.
import type { PackModel, RunnableFact } from "../model/pack.ts";
import type { ObjectValue } from "../model/values.ts";
import { objectIn, textIn } from "./config.ts";

/** Undefined where the source does not tell. */
export function nameOfRunnable(pack: PackModel, { definition }: Pick<RunnableFact, "definition">): string | undefined {
  return textIn(pack, definition, "name");
}

/** Undefined where there is no schema, or the source does not tell it. */
export function rowProperties(pack: PackModel, definition: ObjectValue): ObjectValue | undefined {
  const schema = objectIn(pack, definition, "schema") ?? objectIn(pack, definition, "items");
  const row = schema && (objectIn(pack, schema, "items") ?? schema);
  return row && objectIn(pack, row, "properties");
}
