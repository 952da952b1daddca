// The items of the list that a loop iterates over, in place of its loop variable.
import type { FileFacts } from "../model/facts.ts";
import type { Resolve, Value } from "../model/values.ts";
import { isPassedUnchanged } from "../syntax/index-loop.ts";

/** Returns the items that a loop variable refers to if the list is known; otherwise the value itself. */
export function loopItems(value: Value, resolve: Resolve, facts: readonly FileFacts[]): readonly Value[] {
  const list = listGoneThrough(value, resolve);
  const items = list && resolve(list);
  return items?.kind === "array" && !items.open && isPassedUnchanged(value, fileOf(value, facts)) ? items.items : [value];
}

const fileOf = ({ place }: Value, facts: readonly FileFacts[]): FileFacts | undefined => facts.find(({ file }) => file === place.file);

/** Returns the list, if the value is each of its items in turn. */
export function listGoneThrough(value: Value, resolve: Resolve): Value | undefined {
  const resolved = value.kind === "reference" ? resolve(value) : value;
  return resolved.kind === "unknown" ? resolved.each : undefined;
}
