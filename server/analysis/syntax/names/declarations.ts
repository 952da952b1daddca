// What a statement of the top level says of names: which it declares, in which scopes, what it does to them, and to what the code of other
// statements sees.
import type { Declaration } from "../../model/facts.ts";
import type { Mutation } from "../../model/mutations.ts";
import type { Place, Value } from "../../model/values.ts";
import { hasAssignment } from "./mutations.ts";

/** The scope of what is declared at a file's top level: all of it, however long the file becomes. */
export const FILE_SCOPE: Place = Object.freeze({ file: "", start: -1, end: 2 ** 30 });

/** An offset at which the names of the top level alone are seen. */
export const TOP_LEVEL = FILE_SCOPE.start;

/** A name that stands for what the path leads to inside another one: what is written to it is written there. */
export interface Alias {
  readonly name: string;
  /** Where it is declared. */
  readonly at: Place;
  readonly path: readonly string[];
  /** Where the other name holds it: of `const app = { pack }`, `pack`. Absent where that is all that it is. */
  readonly inside?: readonly string[];
}

/** What one statement of the top level declares and changes, inside it and in the file's scope. */
export interface DeclarationPart {
  readonly declared: Lists<Declaration>;
  readonly changes: Lists<Mutation>;
  /** By the name that they lead into. */
  readonly aliases: Lists<Alias>;
  /** Functions and classes, from the first to the last: code in them runs at another time than the code around them. */
  readonly functions: readonly Place[];
}

export type Lists<T> = ReadonlyMap<string, readonly T[]>;

/** Most statements declare little and change nothing: what is not there is shared, and takes no place. */
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

  /** Undefined value: what it stands for is not known. */
  declare(name: string, scope: Place, value: Value | undefined): void {
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

/** The lists themselves, unless they are the shared ones. */
function withItem<T>(lists: Lists<T>, name: string, item: T): Lists<T> {
  if (lists === NONE) return new Map<string, T[]>().set(name, [item]);
  const list = lists.get(name) as T[] | undefined;
  if (list === undefined) (lists as Map<string, T[]>).set(name, [item]);
  else list.push(item);
  return lists;
}

/** The name that stands for what functions of a name return: `config()`. Two functions of one name count as one. */
export const returnName = (name: string | undefined): string => `${name}()`;

export const isReturnName = (name: string): boolean => name.endsWith("()");

/** The innermost declaration that is seen at the offset. */
export function find(declarations: readonly Declaration[] | undefined, offset: number): Declaration | undefined {
  let best: Declaration | undefined;
  for (const declaration of declarations ?? []) {
    const isVisible = declaration.scope.start <= offset && offset <= declaration.scope.end;
    if (isVisible && (best === undefined || declaration.scope.start >= best.scope.start)) best = declaration;
  }
  return best;
}

/**
 * Whether statements that came for others do the same as these did to what is around them. Most edits leave that as it is: a function has its
 * names in scopes of its own, and hands the same things to the same helpers as before.
 */
export function haveSameEffects(removedParts: readonly DeclarationPart[], come: readonly DeclarationPart[]): boolean {
  const before = removedParts.map(outerEffects);
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

const hasValue = (change: Mutation): boolean => change.kind === "assigned" || hasAssignment(change);
