// What a statement of the top level does to what the code of other statements sees. Most edits leave that as it is: a function has its names
// in scopes of its own, and hands the same things to the same helpers as before.
import type { Mutation } from "../../model/mutations.ts";
import type { Place } from "../../model/values.ts";
import { type DeclarationPart, FILE_SCOPE } from "./declarations.ts";
import { find } from "./find-declaration.ts";

/** Whether statements that came for others do the same as these did to what is around them. */
export function haveSameEffects(gone: readonly DeclarationPart[], come: readonly DeclarationPart[]): boolean {
  const before = gone.map(outerEffects);
  const after = come.map(outerEffects);
  return [...before, ...after].every((effects) => effects !== undefined) && before.flat().join("\n\n") === after.flat().join("\n\n");
}

/** One text for each, in order; undefined where values are among them. */
function outerEffects({ declared, changes, aliases }: DeclarationPart): readonly string[] | undefined {
  for (const all of declared.values()) if (all.some(({ scope }) => scope.start === FILE_SCOPE.start)) return undefined;
  const isLocal = (name: string, { at }: { readonly at: Place }): boolean => find(declared.get(name), at.start) !== undefined;
  // What is done to a local name is then done to what is around, too.
  const leadsOut = [...aliases].some(([of, all]) => all.some((alias) => !isLocal(of, alias)));
  const effects: string[] = [];
  for (const [name, all] of changes)
    for (const change of all) {
      const isOfLocal = isLocal(name, change);
      if (isOfLocal && (!leadsOut || change.kind === "assigned")) continue;
      if (hasValue(change)) return undefined;
      effects.push(["change", name, isOfLocal, change.kind, "property" in change ? change.property : "", ...change.path].join("\n"));
    }
  for (const [of, all] of aliases)
    for (const alias of all) {
      const { name, path, inside } = alias;
      const are = [isLocal(of, alias), isLocal(name, alias)];
      if (leadsOut || are.includes(false)) effects.push(["alias", of, name, ...are, ...path, inside?.join("\n.")].join("\n"));
    }
  return effects;
}

const hasValue = (change: Mutation): boolean =>
  change.kind === "assigned" || (change.kind === "written" && change.assignment !== undefined);
