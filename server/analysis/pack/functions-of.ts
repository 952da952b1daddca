// The functions in a definition that the platform calls: `execute`, `getConnectionName`, the getters of options and schemas.

import type { PackModel } from "../model/pack.ts";
import type { Expression, FunctionValue } from "../model/values.ts";
import { isOpaque } from "../syntax/expressions.ts";

/** A formula's definition is at most three levels deep; a function below this depth does not belong to it. */
const DEEPEST = 5;

/** Returns every function in the value; `complete` is false if a part of the value could not be read. */
export function functionsOf(
  pack: PackModel,
  value: Expression,
): { readonly functions: readonly FunctionValue[]; readonly complete: boolean } {
  const functions: FunctionValue[] = [];
  let complete = true;
  const add = (part: Expression, depth: number): void => {
    const resolved = pack.resolve(part);
    switch (resolved.kind) {
      case "function":
        functions.push(resolved);
        break;
      case "object":
        if (resolved.open) complete = false;
        if (depth < DEEPEST) for (const property of resolved.properties) add(property.value, depth + 1);
        break;
      case "array":
        if (depth < DEEPEST) for (const item of resolved.items) add(item, depth + 1);
        break;
      default:
        if (isOpaque(resolved)) complete = false;
    }
  };
  add(value, 0);
  return { functions, complete };
}
