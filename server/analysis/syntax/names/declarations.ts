// The effects of a top-level statement on names: its declarations with their scopes, its mutations, and what other statements can see of
// them.
import type { Declaration } from "../../model/facts.ts";
import type { Mutation } from "../../model/mutations.ts";
import type { Expression, Place } from "../../model/values.ts";
import { hasAssignment } from "./mutations.ts";

/** The scope of top-level declarations: the whole file, however long it becomes. */
export const FILE_SCOPE: Place = Object.freeze({ file: "", start: -1, end: 2 ** 30 });

/** An offset at which only top-level names are visible. */
export const TOP_LEVEL = FILE_SCOPE.start;

/** A name that refers to a part of another name's value, at the path. A write to one is a write to the other. */
export interface Alias {
  readonly name: string;
  /** The place of the declaration. */
  readonly at: Place;
  readonly path: readonly string[];
  /** The path in the alias's value, such as `pack` for `const app = { pack }`. Absent if it is the whole value. */
  readonly inside?: readonly string[];
}

/** The declarations and mutations of one top-level statement, inside it and in the file's scope. */
export interface DeclarationPart {
  readonly declared: Lists<Declaration>;
  readonly changes: Lists<Mutation>;
  /** By the name that the aliases refer to. */
  readonly aliases: Lists<Alias>;
  /** Functions and classes, in order. Code in them runs at another time than the code around them. */
  readonly functions: readonly Place[];
}

export type Lists<T> = ReadonlyMap<string, readonly T[]>;

/** Shared empty values, since most statements declare little and change nothing. */
const NONE: ReadonlyMap<string, never> = new Map<string, never>();
const NO_FUNCTIONS: readonly Place[] = Object.freeze([]);

export class Declarations implements DeclarationPart {
  declare declared: DeclarationPart["declared"];
  declare changes: DeclarationPart["changes"];
  declare aliases: DeclarationPart["aliases"];
  declare functions: DeclarationPart["functions"];

  constructor() {
    this.declared = NONE;
    this.changes = NONE;
    this.aliases = NONE;
    this.functions = NO_FUNCTIONS;
  }

  /** Adds a declaration; an undefined value is unknown. */
  declare(name: string, scope: Place, value: Expression | undefined): void {
    this.declared = withItem(this.declared, name, { scope, value });
  }

  change(change: Mutation): void {
    this.changes = withItem(this.changes, change.name, change);
  }

  alias(of: string, alias: Alias): void {
    this.aliases = withItem(this.aliases, of, alias);
  }

  enterFunction(place: Place): void {
    if (this.functions === NO_FUNCTIONS) this.functions = [];
    (this.functions as Place[]).push(place);
  }
}

/** Adds an item in place, or returns a new map if the lists are the shared empty ones. */
function withItem<T>(lists: Lists<T>, name: string, item: T): Lists<T> {
  if (lists === NONE) return new Map<string, T[]>().set(name, [item]);
  const list = lists.get(name) as T[] | undefined;
  if (list === undefined) (lists as Map<string, T[]>).set(name, [item]);
  else list.push(item);
  return lists;
}

/** Returns the name for the return value of the functions with a name: `config()`. Two functions with the same name count as one. */
export const returnName = (name: string | undefined): string => `${name}()`;

export const isReturnName = (name: string): boolean => name.endsWith("()");

/** Returns the innermost declaration that is visible at the offset. */
export function find(declarations: readonly Declaration[] | undefined, offset: number): Declaration | undefined {
  let best: Declaration | undefined;
  for (const declaration of declarations ?? []) {
    const isVisible = declaration.scope.start <= offset && offset <= declaration.scope.end;
    if (isVisible && (best === undefined || declaration.scope.start >= best.scope.start)) best = declaration;
  }
  return best;
}

/**
 * Whether new statements have the same effects on their surroundings as the ones they replace. Most edits keep them: a function's names are
 * in its own scopes, and it passes the same values to the same helpers.
 */
export function haveSameEffects(removedParts: readonly DeclarationPart[], come: readonly DeclarationPart[]): boolean {
  const before = removedParts.map(outerEffects);
  const after = come.map(outerEffects);
  return [...before, ...after].every((effects) => effects !== undefined) && before.flat().join("\n\n") === after.flat().join("\n\n");
}

/** Returns one string for each effect, in order, or undefined if an effect involves values. */
function outerEffects({ declared, changes, aliases }: DeclarationPart): readonly string[] | undefined {
  for (const all of declared.values()) if (all.some(({ scope }) => scope.start === FILE_SCOPE.start)) return undefined;
  const isLocal = (name: string, { at }: { readonly at: Place }): boolean => find(declared.get(name), at.start) !== undefined;
  // With such an alias, a mutation of a local name also changes outer values.
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

const hasValue = (change: Mutation): boolean => change.kind === "assigned" || hasAssignment(change);
