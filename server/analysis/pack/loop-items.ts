// The items of the list that a loop iterates over, in place of its loop variable.
import type { FileFacts } from "../model/facts.ts";
import type { Expression, Resolve } from "../model/values.ts";
import { isPassedUnchanged } from "../syntax/index-loop.ts";
import { itemsOf } from "./look-up.ts";

/** Returns the items that a loop variable refers to if the list is known; otherwise the value itself. */
export function loopItems(value: Expression, resolve: Resolve, facts: readonly FileFacts[]): readonly Expression[] {
  const list = listGoneThrough(value, resolve);
  const items = list && itemsOf(list, resolve);
  return items !== undefined && isPassedUnchanged(value, fileOf(value, facts)) ? items : [value];
}

const fileOf = ({ place }: Expression, facts: readonly FileFacts[]): FileFacts | undefined => facts.find(({ file }) => file === place.file);

/** Returns the list, if the value is each of its items in turn. */
export function listGoneThrough(value: Expression, resolve: Resolve): Expression | undefined {
  const resolved = value.kind === "reference" || value.kind === "lookUp" ? resolve(value) : value;
  return resolved.kind === "item" ? resolved.list : undefined;
}
