// The items of a list that a loop goes through, in the place of the name that stands for each of them.
import type { FileFacts } from "../model/facts.ts";
import type { Resolve, Value } from "../model/values.ts";
import { isPassedUnchanged } from "../syntax/index-loop.ts";

/** The items that a value stands for in a loop over a list that is known; the value itself where it stands for something else. */
export function loopItems(value: Value, resolve: Resolve, facts: readonly FileFacts[]): readonly Value[] {
  const list = listGoneThrough(value, resolve);
  const items = list && resolve(list);
  return items?.kind === "array" && !items.open && isPassedUnchanged(value, fileOf(value, facts)) ? items.items : [value];
}

const fileOf = ({ place }: Value, facts: readonly FileFacts[]): FileFacts | undefined => facts.find(({ file }) => file === place.file);

/** The list, of a value that is each of its items, one after the other. */
export function listGoneThrough(value: Value, resolve: Resolve): Value | undefined {
  const resolved = value.kind === "reference" ? resolve(value) : value;
  return resolved.kind === "unknown" ? resolved.each : undefined;
}
