// The calls of a file that set up a pack: methods that are called on it, and what is pushed into its lists.
import type { CallFact, DeclaredNames } from "../model/facts.ts";
import { find } from "../syntax/names/find-declaration.ts";
import { PACK_LISTS } from "../syntax/pack-methods.ts";
import type { Escape } from "../syntax/walk/walked.ts";

/** Without the methods of other objects. */
export const packCalls = (calls: readonly CallFact[], declarations: DeclaredNames): readonly CallFact[] =>
  calls.filter((call) => !isOfObject(call, declarations));

/** With what is put into the lists of packs, `pack.formulas.push(formula)`, in the order of the source. */
export function withAdditions(
  calls: readonly CallFact[],
  escapes: readonly Escape[],
  packs: ReadonlySet<string>,
  declarations: DeclaredNames,
): readonly CallFact[] {
  const added = escapes.flatMap(({ what, adds }): CallFact[] => {
    if (adds === undefined || !packs.has(what)) return [];
    if (adds.method !== "") return [adds];
    // Another name of a part of the pack, by which that is called: `const { formulas } = pack`.
    const method = PACK_LISTS.get(what);
    return method === undefined ? [] : [{ ...adds, method }];
  });
  return added.length === 0 ? calls : [...calls, ...packCalls(added, declarations)].sort((a, b) => a.place.start - b.place.start);
}

/** A method of an object that is written out, and so is no pack. */
function isOfObject({ receiver, place: { start } }: CallFact, declarations: DeclaredNames): boolean {
  const value = receiver === "" ? undefined : find(declarations.get(receiver), start)?.value;
  return value?.kind === "object" && !value.open;
}
