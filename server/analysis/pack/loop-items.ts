// The items of a list that a loop goes through, in the place of the name that stands for each of them.
import type { FileFacts } from "../model/facts.ts";
import type { Resolve, Value } from "../model/values.ts";
import { find } from "../syntax/names/declarations.ts";

/** The items that a value stands for in a loop over a list that is known; the value itself where it stands for something else. */
export function loopItems(value: Value, resolve: Resolve, facts: readonly FileFacts[]): readonly Value[] {
  const list = listGoneThrough(value, resolve);
  const items = list && resolve(list);
  return items?.kind === "array" && !items.open && isTakenAsItIs(value, facts) ? items.items : [value];
}

/** The list, of a value that is each of its items, one after the other. */
export function listGoneThrough(value: Value, resolve: Resolve): Value | undefined {
  const resolved = value.kind === "reference" ? resolve(value) : value;
  return resolved.kind === "unknown" ? resolved.each : undefined;
}

/** Whether nothing is done with the name of a list's items but to hand it on once: a look at it may leave some of them out. */
export function isTakenAsItIs(value: Value, facts: readonly FileFacts[]): boolean {
  // By an index, that is known from the loop.
  if (value.kind === "unknown") return true;
  const file = facts.find((known) => known.file === value.place.file);
  if (value.kind !== "reference" || value.path.length !== 1 || file === undefined) return false;
  const [name = ""] = value.path;
  const scope = find(file.declarations.get(name), value.place.start);
  const uses =
    scope === undefined
      ? []
      : file.text
          .slice(scope.scope.start, scope.scope.end)
          .matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g"));
  return [...uses].length === 2;
}
