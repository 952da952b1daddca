// The value of a reassigned name or a modified object at a use of the name, by the mutations that affect this use.

import { getOrInsert } from "../../../../base/get-or-insert.ts";
import type { AssignedValues, Declaration } from "../../model/facts.ts";
import type { Definition, Mutation } from "../../model/mutations.ts";
import type { Expression, ObjectValue, Span } from "../../model/values.ts";
import { find } from "./declarations.ts";
import { applyMutation, hasAssignment, isChangeable, withWritten } from "./mutations.ts";
import { definitionsAt } from "./reaching-definitions.ts";

/** The declarations and mutations of the names in a file. */
interface NameLists {
  declared(name: string): readonly Declaration[];
  changes(name: string): readonly Mutation[];
  /** Returns the mutations, including those through aliases, or undefined if they are unknown. */
  allChanges(name: string): readonly Mutation[] | undefined;
  /** Returns the innermost function or class around an offset, or undefined if it is unknown. */
  functionAt(offset: number): Span | undefined;
}

/** A use of a name: the offset for the scope look-up, and the offset that mutations precede. They differ for a use by an import. */
interface Use {
  readonly lookupOffset: number;
  readonly at: number;
}

interface ValuesAtUses {
  assignedAt(name: string, use: Use): AssignedValues | undefined;
  writtenAt(name: string, use: Use, escapes: boolean): ObjectValue | undefined;
}

/** Maximum number of mutations of one name in its scope that are followed. */
const MOST_CHANGES = 50;
/** Maximum number of look-ups for one name in its declarations and mutations. Beyond it, its value is unknown. */
const MOST_STEPS = 200_000;

const UNKNOWN_VALUES: AssignedValues = { values: [], declared: false };
const NOTHING: readonly never[] = [];

export function createValuesAtUses(lists: NameLists): ValuesAtUses {
  const changesByName = new Map<string, ReadonlyMap<Declaration | undefined, readonly Mutation[]> | undefined>();
  /** Returns the mutations by the declaration that they affect, or undefined if there are too many. */
  const byDeclaration = (name: string) =>
    getOrInsert(changesByName, name, () => changesByDeclaration(lists.declared(name), lists.allChanges(name)));

  return {
    assignedAt(name, { lookupOffset, at }) {
      const changes = lists.changes(name);
      if (!changes.some(({ kind }) => kind === "assigned")) return undefined;
      const scope = find(lists.declared(name), lookupOffset);
      const inside = lists.functionAt(at);
      const all = byDeclaration(name);
      if (all === undefined) return UNKNOWN_VALUES;
      // An assignment to another function's local name does not count, even if no declaration encloses the use.
      const own = all.get(scope) ?? NOTHING;
      const assignments = own.filter((change) => change.kind === "assigned");
      if (assignments.length === 0) return undefined;
      if (scope === undefined || inside === undefined) return UNKNOWN_VALUES;
      const definitions = assignments.flatMap(({ definition }) => definition ?? []);
      if (definitions.length < assignments.length || definitions.length > MOST_CHANGES) return UNKNOWN_VALUES;
      const reaching = definitionsAt(definitions, at, inside, scope.scope);
      const otherChanges = own.filter(({ kind }) => kind !== "assigned");
      const settle = (value: Expression): Expression => (isChangeable(value) ? otherChanges.reduce(applyMutation, value) : value);
      const [only, ...more] = reaching.declared ? [] : reaching.definitions;
      // The value is a single object, so later writes to it can be applied.
      const isFollowed =
        more.length === 0 && otherChanges.every((one) => one.at.start > (only?.at.start ?? 0) && lists.changes(name).includes(one));
      const updatedObject =
        isFollowed && only?.value.kind === "object"
          ? withWritten(only.value, otherChanges, (all: readonly Definition[]) => definitionsAt(all, at, inside, scope.scope), true)
          : undefined;
      if (updatedObject !== undefined) return { values: [updatedObject], declared: false };
      const values = reaching.definitions.map(({ value }) => settle(value));
      if (!reaching.declared) return { values, declared: false };
      const start = isDeclaredOnce(scope.scope, lists.declared(name)) ? scope.value : undefined;
      return start === undefined ? { values, declared: true } : { values: [settle(start), ...values], declared: false };
    },
    writtenAt(name, { lookupOffset, at }, escapes) {
      const changes = lists.changes(name);
      const isPassedOnly = changes.length > 0 && changes.every(({ kind, at: { start } }) => kind === "escaped" && start >= at);
      if (!isPassedOnly && !changes.some(hasAssignment)) return undefined;
      const scope = find(lists.declared(name), lookupOffset);
      if (scope?.value?.kind !== "object") return undefined;
      const inside = lists.functionAt(at);
      if (inside === undefined || (isPassedOnly && inside.start > scope.scope.start)) return undefined;
      // What happened to a name by its aliases is computed for few names.
      const own = byDeclaration(name)?.get(scope);
      if (own === undefined || own.length > MOST_CHANGES) return undefined;
      // An object that is new in each call does not change before it is passed on.
      const isBefore = (one: Mutation): boolean => one.at.start >= at && lists.functionAt(one.at.start)?.start === inside.start;
      if (isPassedOnly) return own.every(isBefore) ? scope.value : undefined;
      // A class or namespace may have members that are not in its object.
      if (scope.value.members === undefined && scope.value.spreads.length > 0) return undefined;
      if (!isDeclaredOnce(scope.scope, lists.declared(name)) || own.some((change) => !changes.includes(change))) return undefined;
      return withWritten(
        scope.value,
        own,
        (definitions: readonly Definition[]) => definitionsAt(definitions, at, inside, scope.scope),
        escapes,
      );
    },
  };
}

function changesByDeclaration(
  declared: readonly Declaration[],
  changes: readonly Mutation[] | undefined,
): ReadonlyMap<Declaration | undefined, readonly Mutation[]> | undefined {
  if (changes === undefined || changes.length * declared.length > MOST_STEPS) return undefined;
  const groups = new Map<Declaration | undefined, Mutation[]>();
  for (const change of changes) getOrInsert(groups, find(declared, change.at.start), () => []).push(change);
  return groups;
}

const isDeclaredOnce = ({ start, end }: Span, declared: readonly Declaration[]): boolean =>
  declared.filter(({ scope }) => scope.start === start && scope.end === end).length === 1;
