// The names that a file declares, scope by scope, and what becomes of them: a name that is assigned again tells nothing, and what is
// written to, under whichever name, is no longer what its literal says.
import { type Alias, changesByAliases } from "./alias-changes.ts";
import { createValuesAtUses } from "./assigned-values.ts";
import { type Change, changed, isChangeable } from "./changes.ts";
import { find } from "./find-declaration.ts";
import type { Declaration, DeclaredNames, Span, Value } from "./model.ts";

/** The scope of what is declared at a file's top level: all of it, however long the file becomes. */
export const FILE_SCOPE: Span = { start: -1, end: 2 ** 30 };

/** An offset at which the names of the top level alone are seen. */
export const TOP_LEVEL = FILE_SCOPE.start;

/** What one statement of the top level declares and changes, inside it and in the file's scope. */
export interface DeclarationPart {
  readonly declared: Lists<{ readonly start: number; readonly end: number; readonly value: Value | undefined }>;
  readonly changes: Lists<Change>;
  /** By the name that they lead into. */
  readonly aliases: Lists<Alias>;
  /** Functions and classes, from the first to the last: code in them runs at another time than the code around them. */
  readonly functions: readonly Span[];
}

type Lists<T> = ReadonlyMap<string, readonly T[]>;

/** A minified source declares a name in thousands of scopes; what such a name stands for is not known. */
const MOST_SCOPES = 1_000;

/** Looks for one name at its declarations and changes; behind these, what it stands for is not known. */
const MOST_STEPS = 200_000;

/** Most statements declare little and change nothing: what is not there is shared, and takes no place. */
const NONE: ReadonlyMap<string, never> = new Map<string, never>();
const NO_FUNCTIONS: readonly Span[] = Object.freeze([]);

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
  declare(name: string, scope: Span, value: Value | undefined): void {
    this.declared = withItem(this.declared, name, { start: scope.start, end: scope.end, value });
  }

  change(change: Change): void {
    this.changes = withItem(this.changes, change.name, change);
  }

  alias(of: string, alias: Alias): void {
    this.aliases = withItem(this.aliases, of, alias);
  }

  enterFunction(span: Span): void {
    if (this.functions === NO_FUNCTIONS) this.functions = [];
    (this.functions as Span[]).push(span);
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

/** The name under which stands what functions of a name give back: `config()`. Two functions of one name are not told apart. */
export const givenBy = (name: string | undefined): string => `${name}()`;

const isGiven = (name: string): boolean => name.endsWith("()");

/** The names of a file, from its statements' parts in order. A name is looked at when it is asked for: few are. */
export const declaredNames = (parts: readonly DeclarationPart[]): DeclaredNames => createNames().of(parts, undefined);

export interface Names {
  /**
   * The names of the parts. Where only some of them are new or gone, what is known of names that none of these has to do with is kept;
   * positions in the others may have moved meanwhile.
   */
  of(parts: readonly DeclarationPart[], changed: readonly DeclarationPart[] | undefined): DeclaredNames;
}

export function createNames(): Names {
  let known = new Map<string, readonly Declaration[] | undefined>();
  /** Names whose declarations do not move with the facts, or hang on what is done to other names. */
  let passing = new Set<string>();
  let latest: DeclaredNames | undefined;
  return {
    of(parts, changed) {
      if (known.size > 0) {
        known = changed === undefined ? new Map() : stillKnown(known, passing, changed);
        passing = new Set();
      }
      const said = saidBy(parts);
      const lists = listsOf(said);
      const values = createValuesAtUses(lists);
      const names: DeclaredNames = {
        get(name) {
          // Of an earlier state: what is said of that is nothing to keep.
          if (latest !== names) return plainDeclaration(name, said) ?? declarationsOf(name, lists);
          const before = known.get(name);
          if (before !== undefined || known.has(name)) return before;
          const plain = plainDeclaration(name, said);
          const found = plain === undefined ? declarationsOf(name, lists) : (plain ?? undefined);
          known.set(name, found);
          if (plain === undefined && found !== undefined) passing.add(name);
          return found;
        },
        changesOf(name) {
          const changes = lists.allChanges(name);
          if (changes?.length === 0) return changes;
          const own = lists.declared(name);
          if (changes === undefined || changes.length * own.length > MOST_STEPS)
            return [{ name, offset: TOP_LEVEL, path: [], kind: "escaped" }];
          return changes.filter(({ offset }) => (find(own, offset)?.start ?? FILE_SCOPE.start) === FILE_SCOPE.start);
        },
        isHandedOn: (name, { start, end }) =>
          lists.changes(name).some((change) => change.kind === "escaped" && start <= change.offset && change.offset <= end),
        assignedAt: (name, offset) => values.assignedAt(name, useAt(offset)),
        writtenAt: (name, offset, isKept) => values.writtenAt(name, useAt(offset), isKept),
        isWritten: (name, { start, end }) =>
          lists.changes(name).some(({ kind, offset }) => kind !== "escaped" && kind !== "assigned" && start <= offset && offset <= end),
        handedOut: (name) => lists.aliases(name).flatMap((alias) => (isGiven(alias.name) ? [{ by: alias.name, path: alias.path }] : [])),
      };
      latest = names;
      return names;
    },
  };
}

/** Who imports a name sees it when its file has been loaded. */
const useAt = (offset: number): { readonly seen: number; readonly at: number } => ({
  seen: offset,
  at: offset === TOP_LEVEL ? FILE_SCOPE.end : offset,
});

/**
 * What is known of names that none of the parts has to do with; a map of its own. One that is emptied or made smaller leads from what it
 * was to what it is: once a state of it is old, all later ones stay with it until the whole heap is looked through.
 */
function stillKnown(
  known: ReadonlyMap<string, readonly Declaration[] | undefined>,
  passing: ReadonlySet<string>,
  changed: readonly DeclarationPart[],
): Map<string, readonly Declaration[] | undefined> {
  const kept = new Map<string, readonly Declaration[] | undefined>();
  for (const [name, found] of known) if (!passing.has(name) && !changed.some((part) => saysOf(name, part))) kept.set(name, found);
  return kept;
}

const saysOf = (name: string, { declared, changes, aliases }: DeclarationPart): boolean =>
  declared.has(name) || changes.has(name) || aliases.has(name);

/** What the parts say that say something: each name that is asked for is looked up in all of it. */
interface Said {
  readonly declared: readonly Lists<Declaration>[];
  readonly changes: readonly Lists<Change>[];
  readonly aliases: readonly Lists<Alias>[];
  readonly functions: readonly (readonly Span[])[];
}

function saidBy(parts: readonly DeclarationPart[]): Said {
  const all = {
    declared: [] as Lists<Declaration>[],
    changes: [] as Lists<Change>[],
    aliases: [] as Lists<Alias>[],
    functions: [] as (readonly Span[])[],
  };
  for (let index = 0; index < parts.length; index++) {
    const { declared, changes, aliases, functions } = parts[index] as DeclarationPart;
    if (functions !== NO_FUNCTIONS) all.functions.push(functions);
    if (declared !== NONE) all.declared.push(declared);
    if (changes !== NONE) all.changes.push(changes);
    if (aliases !== NONE) all.aliases.push(aliases);
  }
  return all;
}

function isNamed(name: string, lists: readonly Lists<unknown>[]): boolean {
  for (let index = 0; index < lists.length; index++) if ((lists[index] as Lists<unknown>).has(name)) return true;
  return false;
}

/**
 * A name that is declared once in each scope, and to which nothing is done: most are. Null of one that is declared nowhere, such as what
 * is imported; undefined where it has to be looked into.
 */
function plainDeclaration(name: string, said: Said): readonly Declaration[] | null | undefined {
  if (isNamed(name, said.changes)) return undefined;
  let found: readonly Declaration[] | undefined;
  let all: Declaration[] | undefined;
  const lists = said.declared;
  for (let index = 0; index < lists.length; index++) {
    const declared = (lists[index] as Lists<Declaration>).get(name);
    if (declared === undefined) continue;
    if (found === undefined) found = declared;
    else {
      if (all === undefined) {
        all = [...found];
        found = all;
      }
      for (const one of declared) all.push(one);
    }
  }
  if (found === undefined) return null;
  if (found.length > MOST_SCOPES) return undefined;
  if (found.length > 1 && !haveScopesOfTheirOwn(found)) return undefined;
  // Of a text or a number, what other names of it are given to does not matter.
  return isNamed(name, said.aliases) && found.some(isOfChangeable) ? undefined : found;
}

const isOfChangeable = ({ value }: Declaration): boolean => isChangeable(value);

function haveScopesOfTheirOwn(declarations: readonly Declaration[]): boolean {
  const ends = new Map<number, number>();
  for (const { start, end } of declarations) {
    if (ends.get(start) === end) return false;
    ends.set(start, end);
  }
  return ends.size === declarations.length;
}

type Draft = { start: number; end: number; value: Value | undefined };

function declarationsOf(name: string, lists: PartLists): readonly Declaration[] | undefined {
  const all: Draft[] = [];
  const byScope = new Map<string, Draft>();
  const declared = lists.declared(name);
  if (declared.length > MOST_SCOPES) return [{ ...FILE_SCOPE, value: undefined }];
  for (const { start, end, value } of declared) {
    const same = byScope.get(`${start} ${end}`);
    if (same === undefined) {
      const draft = { start, end, value };
      byScope.set(`${start} ${end}`, draft);
      all.push(draft);
    }
    // Overloads of a function are one function; anything else that is declared twice tells nothing.
    else if (same.value?.kind !== "function" || value?.kind !== "function") same.value = undefined;
  }
  if (all.length === 0) return undefined;
  const apply = (change: Change): void => {
    const found = find(all, change.offset) as Draft | undefined;
    if (found?.value === undefined) return;
    found.value = change.kind === "assigned" ? undefined : changed(found.value, change);
  };
  const changes = all.some(({ value }) => isChangeable(value)) ? lists.allChanges(name) : lists.changes(name);
  // Each is looked up in all, and makes a larger value than the one before it.
  const count = changes?.length ?? 0;
  if (changes === undefined || all.length * count + (count * count) / 100 > MOST_STEPS) for (const draft of all) draft.value = undefined;
  else for (const change of changes) apply(change);
  return all;
}

/** What all parts say of a name, each put together once. */
interface PartLists {
  declared(name: string): readonly Declaration[];
  changes(name: string): readonly Change[];
  aliases(name: string): readonly Alias[];
  /** Under its own name and under its others; undefined where that takes too many steps. */
  allChanges(name: string): readonly Change[] | undefined;
  /** The innermost function or class around the offset; undefined where that takes too many steps. */
  functionAt(offset: number): Span | undefined;
}

function listsOf(said: Said): PartLists {
  const [declared, changes, aliases] = [inAll(said.declared), inAll(said.changes), inAll(said.aliases)];
  /** Of all names at once: what is said of one does not hang on which was asked for before. */
  let byAliases: ReturnType<typeof changesByAliases> | null = null;
  let functions: readonly Span[] | undefined;
  return {
    functionAt(offset) {
      functions ??= said.functions.flat();
      return innermost(functions, offset);
    },
    declared,
    changes,
    aliases,
    allChanges(name) {
      if (aliases(name).length === 0) return changes(name);
      if (byAliases === null) byAliases = changesByAliases({ aliases: said.aliases.flatMap((part) => [...part]), declared, changes });
      return byAliases && [...changes(name), ...(byAliases.get(name) ?? [])];
    },
  };
}

/** Functions beside each other, without one around them: more than anybody writes. */
const MOST_SIBLINGS = 1_000;

/** Of spans in the order of their starts, the last one that holds the offset; the whole file where none does. */
function innermost(spans: readonly Span[], offset: number): Span | undefined {
  let low = 0;
  for (let high = spans.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index >= 0; index--) {
    const span = spans[index] as Span;
    if (offset <= span.end) return span;
    if (low - index > MOST_SIBLINGS) return undefined;
  }
  return FILE_SCOPE;
}

/** Without iterators: each name that is asked for is looked up in all of them, and most have nothing of it. */
function inAll<T>(lists: readonly Lists<T>[]): (name: string) => readonly T[] {
  let known: Map<string, readonly T[]> | undefined;
  return (name) => {
    const before = known?.get(name);
    if (before !== undefined) return before;
    const all: T[] = [];
    for (let index = 0; index < lists.length; index++) {
      const items = (lists[index] as Lists<T>).get(name);
      if (items !== undefined) for (let at = 0; at < items.length; at++) all.push(items[at] as T);
    }
    known ??= new Map();
    known.set(name, all);
    return all;
  };
}
