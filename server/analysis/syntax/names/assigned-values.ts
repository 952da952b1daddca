// What a name stands for where it is used, when it is assigned again or its object is written to: by the changes that count there.

import { getOrInsert } from "../../../../base/get-or-insert.ts";
import type { AssignedValues, Declaration } from "../../model/facts.ts";
import type { Definition, Mutation } from "../../model/mutations.ts";
import type { ObjectValue, Span, Value } from "../../model/values.ts";
import { find } from "./declarations.ts";
import { applyMutation, hasAssignment, isChangeable, withWritten } from "./mutations.ts";
import { definitionsAt } from "./reaching-definitions.ts";

/** All that a file says of a name. */
interface NameLists {
  declared(name: string): readonly Declaration[];
  changes(name: string): readonly Mutation[];
  /** Under its other names too; undefined where that is not known. */
  allChanges(name: string): readonly Mutation[] | undefined;
  /** The innermost function or class around an offset; undefined where that is not known. */
  functionAt(offset: number): Span | undefined;
}

/** A use of a name: where the name is looked up, and what comes before it. They differ for who imports the name. */
interface Use {
  readonly lookupOffset: number;
  readonly at: number;
}

interface ValuesAtUses {
  assignedAt(name: string, use: Use): AssignedValues | undefined;
  writtenAt(name: string, use: Use, escapes: boolean): ObjectValue | undefined;
}

/** More than anybody follows of one name in its scope. */
const MOST_CHANGES = 50;
/** Looks for one name at its declarations and changes; behind these, what it stands for is not known. */
const MOST_STEPS = 200_000;

const UNKNOWN_VALUES: AssignedValues = { values: [], declared: false };
const NOTHING: readonly never[] = [];

export function createValuesAtUses(lists: NameLists): ValuesAtUses {
  const changesByName = new Map<string, ReadonlyMap<Declaration | undefined, readonly Mutation[]> | undefined>();
  /** Its changes by the declaration that they are of; undefined where they are too many. */
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
      // What another function assigns to a name of its own does not count, also where no declaration is around the use.
      const own = all.get(scope) ?? NOTHING;
      const assignments = own.filter((change) => change.kind === "assigned");
      if (assignments.length === 0) return undefined;
      if (scope === undefined || inside === undefined) return UNKNOWN_VALUES;
      const definitions = assignments.flatMap(({ definition }) => definition ?? []);
      if (definitions.length < assignments.length || definitions.length > MOST_CHANGES) return UNKNOWN_VALUES;
      const reaching = definitionsAt(definitions, at, inside, scope.scope);
      const otherChanges = own.filter(({ kind }) => kind !== "assigned");
      const settle = (value: Value): Value => (isChangeable(value) ? otherChanges.reduce(applyMutation, value) : value);
      const [only, ...more] = reaching.declared ? [] : reaching.definitions;
      // The one object that it is, with what is written to it since.
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
      if (!lists.changes(name).some(hasAssignment)) return undefined;
      const scope = find(lists.declared(name), lookupOffset);
      const inside = lists.functionAt(at);
      const own = scope && byDeclaration(name)?.get(scope);
      if (scope?.value?.kind !== "object" || inside === undefined || own === undefined || own.length > MOST_CHANGES) return undefined;
      // Of a class or a namespace there may be more.
      if (scope.value.members === undefined && scope.value.spreads.length > 0) return undefined;
      if (!isDeclaredOnce(scope.scope, lists.declared(name)) || own.some((change) => !lists.changes(name).includes(change)))
        return undefined;
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
