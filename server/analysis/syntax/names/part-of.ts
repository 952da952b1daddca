// What a value has under a name.
import type { Value } from "../../model/values.ts";

/** A property, or an item by its number; of what is known to have it. */
export function partOf(whole: Value, name: string): Value | undefined {
  if (whole.kind === "array") return whole.open ? undefined : whole.items[Number(name)];
  return whole.kind === "object" ? whole.properties.findLast((property) => property.name === name)?.value : undefined;
}
