// Mutations of a name through its aliases: `const b = a; b.key = …` changes the value of `a`. Mutations propagate between declarations,
// each in its scope, until nothing changes. So circular aliases end, and equal names in different scopes stay separate.

import { getOrInsert } from "../../../../base/get-or-insert.ts";
import type { Declaration } from "../../model/facts.ts";
import type { Mutation } from "../../model/mutations.ts";
import { type Alias, find } from "./declarations.ts";
import { ANY } from "./mutations.ts";

interface AliasSources {
  /** By the name that the aliases refer to. */
  readonly aliases: Iterable<readonly [of: string, aliases: readonly Alias[]]>;
  declared(name: string): readonly Declaration[];
  changes(name: string): readonly Mutation[];
}

/** Maximum number of propagated mutations for one state of a file. Beyond it, values with aliases are unknown. */
const MOST_STEPS = 100_000;
/** Maximum depth of a mutated part. Below it, the part counts as escaped. */
const LONGEST_PATH = 8;

interface Other {
  /** The name that the alias refers to. */
  readonly of: string;
  readonly alias: Alias;
}

/** Returns the mutations through aliases by name, or undefined if there are too many steps. */
export function changesByAliases({ aliases, declared, changes }: AliasSources): ReadonlyMap<string, readonly Mutation[]> | undefined {
  let left = MOST_STEPS;
  /** Returns the start of the declaration that is visible at the offset. */
  const scopeAt = (name: string, offset: number): number | undefined => {
    const all = declared(name);
    left -= all.length / 10;
    return find(all, offset)?.scope.start;
  };
  const otherNames = new Map<string, Map<number | undefined, Other[]>>();
  for (const [of, list] of aliases)
    for (const alias of list) {
      if (left < 0) return undefined;
      const byScope = getOrInsert(otherNames, alias.name, () => new Map<number | undefined, Other[]>());
      getOrInsert(byScope, scopeAt(alias.name, alias.at.start), () => []).push({ of, alias });
    }
  const changesByName = new Map<string, Mutation[]>();
  const visited = new Set<string>();
  const queue = [...otherNames.keys()].flatMap((name) => changes(name));
  for (const change of queue) {
    if (change.kind === "assigned") continue;
    for (const { of, alias } of otherNames.get(change.name)?.get(scopeAt(change.name, change.at.start)) ?? [])
      for (const innerChange of extractChanges(change, alias.inside)) {
        if (left-- < 0) return undefined;
        const propagated = shortened({ ...innerChange, name: of, at: alias.at, path: [...alias.path, ...innerChange.path] });
        const key = [
          of,
          scopeAt(of, alias.at.start),
          propagated.kind,
          "property" in propagated ? propagated.property : "",
          ...propagated.path,
        ].join("\n");
        if (visited.has(key)) continue;
        visited.add(key);
        getOrInsert(changesByName, of, () => []).push(propagated);
        queue.push(propagated);
      }
  }
  return changesByName;
}

const shortened = (change: Mutation): Mutation =>
  change.path.length <= LONGEST_PATH
    ? change
    : { kind: "escaped", name: change.name, at: change.at, path: change.path.slice(0, LONGEST_PATH) };

/** Returns a mutation of the whole as one of the part at the path `inside`, or nothing if it affects another part. */
function extractChanges(change: Mutation, inside: readonly string[] | undefined): readonly Mutation[] {
  if (inside === undefined) return [change];
  const leads = inside.slice(0, change.path.length).every((step, index) => isStep(step, change.path[index] ?? ANY));
  if (!leads) return [];
  if (change.path.length >= inside.length) return [{ ...change, path: change.path.slice(inside.length) }];
  return change.kind === "escaped" ? [{ ...change, path: [] }] : [];
}

const isStep = (a: string, b: string): boolean => a === b || a === ANY || b === ANY;
