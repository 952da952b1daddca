// The network domains that a pack declares, and whether these are all.
import { unknownAt } from "./changes.ts";
import { find } from "./find-declaration.ts";
import type { CallFact, FileFacts, ObjectValue, PackModel, Value } from "./model.ts";

/** Lists that hold a list twice double at each; more domains than these are not known. */
const MOST_LOOKS = 10_000;

export function domainsOf(
  calls: readonly CallFact[],
  definitions: readonly ObjectValue[],
  resolve: (value: Value) => Value,
  mayHaveMore: boolean,
  facts: readonly FileFacts[],
): PackModel["domains"] {
  let complete = !mayHaveMore;
  let looks = 0;
  const declared: { value: string; place: Value; conditional: boolean }[] = [];
  /** `within` are the lists that the value stands in: one that holds itself is gone through once. */
  const add = (value: Value | undefined, conditional: boolean, within: readonly Value[] = []): void => {
    if (++looks > MOST_LOOKS) {
      complete = false;
      return;
    }
    if (value?.kind === "choice") {
      for (const option of value.options) add(option, true, within);
      return;
    }
    const resolved = value === undefined ? undefined : resolve(value);
    const items = resolved?.kind === "unknown" && resolved.each !== undefined ? resolve(resolved.each) : undefined;
    if (value !== undefined && items !== undefined)
      add(items.kind === "array" && isTakenAsItIs(value, facts) ? items : unknownAt(items), true, within);
    else if (value !== undefined && resolved?.kind === "string") declared.push({ value: resolved.value, place: value, conditional });
    else if (resolved?.kind === "array") {
      const isOwnItem = within.some((list) => list.file === resolved.file && list.start === resolved.start);
      if (resolved.open || isOwnItem) complete = false;
      if (!isOwnItem) for (const item of resolved.items) add(item, conditional, [...within, resolved]);
    } else complete = false;
  };
  for (let index = 0; index < calls.length; index++) {
    const { method, arguments: given, conditional } = calls[index] as CallFact;
    if (method !== "addNetworkDomain") continue;
    if (given.length === 0) complete = false;
    for (let at = 0; at < given.length; at++) add(given[at], conditional);
  }
  for (const definition of definitions) {
    const property = definition.properties.findLast((candidate) => candidate.name === "networkDomains");
    if (property !== undefined) add(property.value, false);
    else if (definition.open) complete = false;
  }
  return { declared, complete, any: declared.length > 0 || !complete };
}

/** Whether nothing is done with the name of a list's items but to hand it on once: a look at it may leave some of them out. */
function isTakenAsItIs(value: Value, facts: readonly FileFacts[]): boolean {
  const file = facts.find((known) => known.file === value.file);
  if (value.kind !== "reference" || value.path.length !== 1 || file === undefined) return false;
  const [name = ""] = value.path;
  const scope = find(file.declarations.get(name), value.start);
  const uses =
    scope === undefined
      ? []
      : file.text.slice(scope.start, scope.end).matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g"));
  return [...uses].length === 2;
}
