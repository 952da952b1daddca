// What the source says of a formula or table: its name, and the properties of its rows.
import type { PackModel, RunnableFact } from "../model/pack.ts";
import type { ObjectValue } from "../model/values.ts";
import { objectIn, textIn } from "./config.ts";

/** Returns undefined if the source does not determine the name. */
export function nameOfRunnable(pack: PackModel, { definition }: Pick<RunnableFact, "definition">): string | undefined {
  return textIn(pack, definition, "name");
}

/** Returns undefined if there is no schema or it cannot be read. */
export function rowProperties(pack: PackModel, definition: ObjectValue): ObjectValue | undefined {
  const schema = objectIn(pack, definition, "schema") ?? objectIn(pack, definition, "items");
  const row = schema && (objectIn(pack, schema, "items") ?? schema);
  return row && objectIn(pack, row, "properties");
}
