// The names that a file declares, by scope, and their mutations. A reassigned name has no certain value, and an object that is written to,
// under any name, differs from its literal.
import { getOrInsert } from "../../../../base/get-or-insert.ts";
import type { Declaration, DeclaredNames } from "../../model/facts.ts";
import type { Mutation } from "../../model/mutations.ts";
import type { Expression, Place, Span } from "../../model/values.ts";
import { changesByAliases } from "./alias-mutations.ts";
import { createValuesAtUses } from "./assigned-values.ts";
import { type Alias, type DeclarationPart, FILE_SCOPE, find, isReturnName, type Lists, TOP_LEVEL } from "./declarations.ts";
import { applyMutation, isChangeable } from "./mutations.ts";

/** Maximum number of scopes for a name. A minified source declares a name in thousands; its value is then unknown. */
const MOST_SCOPES = 1_000;

/** Maximum number of look-ups for one name in its declarations and mutations. Beyond it, its value is unknown. */
const MOST_STEPS = 200_000;

/** Returns the names of a file from its statements' parts, in order. A name is computed on demand, since few are needed. */
export function declaredNames(parts: readonly DeclarationPart[]): DeclaredNames {
  const lists = listsOf(parts);
  const values = createValuesAtUses(lists);
  const declarationsByName = new Map<string, readonly Declaration[] | undefined>();
  return {
    get: (name) =>
      getOrInsert(declarationsByName, name, () => {
        const plain = plainDeclaration(name, lists);
        return plain === undefined ? declarationsOf(name, lists) : (plain ?? undefined);
      }),
    scopeAt(name, offset) {
      const declarations = lists.declared(name);
      return declarations.length > MOST_SCOPES ? FILE_SCOPE : find(declarations, offset)?.scope;
    },
    changesOf(name) {
      const changes = lists.allChanges(name);
      if (changes?.length === 0) return changes;
      const own = lists.declared(name);
      if (changes === undefined || changes.length * own.length > MOST_STEPS) return [{ name, at: FILE_SCOPE, path: [], kind: "escaped" }];
      return changes.filter(({ at }) => (find(own, at.start)?.scope.start ?? FILE_SCOPE.start) === FILE_SCOPE.start);
    },
    isPassed: (name, within, except) =>
      lists
        .changes(name)
        .some(({ kind, at }) => kind === "escaped" && isInside(at, within) && !(except !== undefined && isInside(at, except))),
    assignedAt: (name, offset) => values.assignedAt(name, useAt(offset)),
    writtenAt: (name, offset, escapes) => values.writtenAt(name, useAt(offset), escapes),
    isWritten: (name, within) =>
      lists.changes(name).some(({ kind, at }) => kind !== "escaped" && kind !== "assigned" && isInside(at, within)),
    returnedBy(name) {
      const isOfFile = ({ at }: Alias): boolean =>
        (find(lists.declared(name), at.start)?.scope.start ?? FILE_SCOPE.start) === FILE_SCOPE.start;
      const returnAliases = lists.aliases(name).filter((alias) => isReturnName(alias.name) && isOfFile(alias));
      return returnAliases.map((alias) => ({ by: alias.name, path: alias.path }));
    },
  };
}

const isInside = (at: Span, { start, end }: Span): boolean => start <= at.start && at.start <= end;

/** Code that imports a name sees its value after the file has loaded. */
const useAt = (offset: number): { readonly lookupOffset: number; readonly at: number } => ({
  lookupOffset: offset,
  at: offset === TOP_LEVEL ? FILE_SCOPE.end : offset,
});

/**
 * Returns the declarations of a name that is declared once in each scope and never mutated, as most are. Returns null if the name is not
 * declared, as for an import, and undefined if it needs closer examination.
 */
function plainDeclaration(name: string, lists: PartLists): readonly Declaration[] | null | undefined {
  if (lists.changes(name).length > 0) return undefined;
  const declarations = lists.declared(name);
  if (declarations.length === 0) return null;
  if (declarations.length > MOST_SCOPES) return undefined;
  if (declarations.length > 1 && !haveScopesOfTheirOwn(declarations)) return undefined;
  // Mutations through aliases cannot change a string or a number.
  return lists.aliases(name).length > 0 && declarations.some(isOfChangeable) ? undefined : declarations;
}

const isOfChangeable = ({ value }: Declaration): boolean => isChangeable(value);

function haveScopesOfTheirOwn(declarations: readonly Declaration[]): boolean {
  const ends = new Map<number, number>();
  for (const { scope } of declarations) {
    const { start, end } = scope;
    if (ends.get(start) === end) return false;
    ends.set(start, end);
  }
  return ends.size === declarations.length;
}

type Draft = { readonly scope: Place; value: Expression | undefined };

function declarationsOf(name: string, lists: PartLists): readonly Declaration[] | undefined {
  const all: Draft[] = [];
  const byScope = new Map<string, Draft>();
  const declared = lists.declared(name);
  if (declared.length > MOST_SCOPES) return [{ scope: FILE_SCOPE, value: undefined }];
  for (const { scope, value } of declared) {
    const key = `${scope.start} ${scope.end}`;
    const same = byScope.get(key);
    if (same === undefined) {
      const draft = { scope, value };
      byScope.set(key, draft);
      all.push(draft);
    }
    // Overloads of a function are one function, and the last has the code; any other repeated declaration makes the value unknown.
    else same.value = same.value?.kind === "function" && value?.kind === "function" ? value : undefined;
  }
  if (all.length === 0) return undefined;
  const apply = (change: Mutation): void => {
    const draft = find(all, change.at.start) as Draft | undefined;
    if (draft?.value === undefined) return;
    draft.value = change.kind === "assigned" ? undefined : applyMutation(draft.value, change);
  };
  const changes = all.some(({ value }) => isChangeable(value)) ? lists.allChanges(name) : lists.changes(name);
  // Each mutation is looked up in all declarations, and makes the value larger.
  const count = changes?.length ?? 0;
  if (changes === undefined || all.length * count + (count * count) / 100 > MOST_STEPS) for (const draft of all) draft.value = undefined;
  else for (const change of changes) apply(change);
  return all;
}

/** The declarations and mutations in all parts by name, each computed once. */
interface PartLists {
  declared(name: string): readonly Declaration[];
  changes(name: string): readonly Mutation[];
  aliases(name: string): readonly Alias[];
  /** Returns the mutations, including those through aliases, or undefined if there are too many steps. */
  allChanges(name: string): readonly Mutation[] | undefined;
  /** Returns the innermost function or class around the offset, or undefined if there are too many steps. */
  functionAt(offset: number): Place | undefined;
}

function listsOf(parts: readonly DeclarationPart[]): PartLists {
  const declared = inAll(parts.map((part) => part.declared));
  const changes = inAll(parts.map((part) => part.changes));
  const aliases = inAll(parts.map((part) => part.aliases));
  /** Computed for all names at once, so that the result for one does not depend on which was requested before. */
  let byAliases: ReturnType<typeof changesByAliases> | null = null;
  let functions: readonly Place[] | undefined;
  return {
    functionAt(offset) {
      functions ??= parts.flatMap((part) => part.functions);
      return innermost(functions, offset);
    },
    declared,
    changes,
    aliases,
    allChanges(name) {
      if (aliases(name).length === 0) return changes(name);
      if (byAliases === null) byAliases = changesByAliases({ aliases: parts.flatMap((part) => [...part.aliases]), declared, changes });
      return byAliases && [...changes(name), ...(byAliases.get(name) ?? [])];
    },
  };
}

/** Maximum number of sibling functions without a function around them, more than any handwritten source has. */
const MOST_SIBLINGS = 1_000;

/** Returns the last of the places, ordered by start, that contains the offset, or the whole file if none does. */
function innermost(places: readonly Place[], offset: number): Place | undefined {
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((places[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index >= 0; index--) {
    const place = places[index] as Place;
    if (offset <= place.end) return place;
    if (low - index > MOST_SIBLINGS) return undefined;
  }
  return FILE_SCOPE;
}

/** Returns a look-up of the items that all lists have under a name, each computed once. */
function inAll<T>(all: readonly Lists<T>[]): (name: string) => readonly T[] {
  // Most statements have none.
  const lists = all.filter(({ size }) => size > 0);
  const itemsByName = new Map<string, readonly T[]>();
  return (name) => getOrInsert(itemsByName, name, () => itemsIn(lists, name));
}

const NO_ITEMS: readonly never[] = Object.freeze([]);

/** Returns the items of the lists under a name. Most lists have none, so it allocates nothing for them. */
function itemsIn<T>(lists: readonly Lists<T>[], name: string): readonly T[] {
  let all: T[] | undefined;
  for (let index = 0; index < lists.length; index++) {
    const items = lists[index]?.get(name);
    if (items === undefined) continue;
    all ??= [];
    for (const item of items) all.push(item);
  }
  return all ?? NO_ITEMS;
}
