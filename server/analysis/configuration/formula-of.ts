// The parts of a formula or a table that hold what it needs of an account.
import type { PackModel, RunnableFact } from "../model/pack.ts";
import type { ObjectValue, Property } from "../model/values.ts";
import { isNoText, propertyOf } from "./config.ts";

/** Of a table, the formula that reads it. */
export const formulaOf = (pack: PackModel, { kind, definition }: RunnableFact): ObjectValue | undefined =>
  kind === "formula" ? definition : objectIn(pack, definition, "formula");

export function objectIn(pack: PackModel, object: ObjectValue, name: string): ObjectValue | undefined {
  const property = propertyOf(object, name);
  const value = property && pack.resolve(property.value);
  return value?.kind === "object" ? value : undefined;
}

/** Whether it is known not to be an array of strings, which the platform wants where there is one. */
export function isNoStringArray(pack: PackModel, { value: given }: Property): boolean {
  const value = pack.resolve(given);
  if (value.kind !== "array") return value.kind === "string" || value.kind === "template" || isNoText(value);
  return value.items.some((item) => {
    const resolved = pack.resolve(item);
    return isNoText(resolved) || resolved.kind === "undefined";
  });
}
