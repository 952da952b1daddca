// The names that a file declares, scope by scope, and what becomes of them: a name that is assigned again tells nothing, and what is
// written to, under whichever name, is no longer what its literal says.
import { type Change, changed, isChangeable } from "./changes.ts";
import type { Declaration, DeclaredNames, Span, Value } from "./model.ts";

/** A name that stands for what the path leads to inside another one: what is written to it is written there. */
export interface Alias {
  readonly name: string;
  /** Where it is declared. */
  readonly offset: number;
  readonly path: readonly string[];
}

/** The scope of what is declared at a file's top level: all of it, however long the file becomes. */
export const FILE_SCOPE: Span = { start: -1, end: 2 ** 30 };

/** An offset at which the names of the top level alone are seen. */
export const TOP_LEVEL = FILE_SCOPE.start;

/** What one statement of the top level declares and changes, inside it and in the file's scope. */
export interface DeclarationPart {
  readonly declared: Map<string, { readonly start: number; readonly end: number; readonly value: Value | undefined }[]>;
  readonly changes: Map<string, Change[]>;
  /** By the name that they lead into. */
  readonly aliases: Map<string, Alias[]>;
}

export interface Declarations extends DeclarationPart {
  /** Undefined value: what it stands for is not known. */
  declare(name: string, scope: Span, value: Value | undefined): void;
  change(change: Change): void;
  alias(of: string, alias: Alias): void;
}

export function createDeclarations(): Declarations {
  const declared: DeclarationPart["declared"] = new Map();
  const changes: DeclarationPart["changes"] = new Map();
  const aliases: DeclarationPart["aliases"] = new Map();
  return {
    declared,
    changes,
    aliases,
    declare: (name, { start, end }, value) => add(declared, name, { start, end, value }),
    change: (change) => add(changes, change.name, change),
    alias: (of, alias) => add(aliases, of, alias),
  };
}

function add<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}

/** The names of a file, from its statements' parts in order. A name is looked at when it is asked for: few are. */
export function declaredNames(parts: readonly DeclarationPart[]): DeclaredNames {
  const known = new Map<string, readonly Declaration[] | undefined>();
  return {
    get(name) {
      if (!known.has(name)) known.set(name, declarationsOf(name, parts));
      return known.get(name);
    },
    changesOf(name) {
      const changes = changesOf(name, parts);
      if (changes.length === 0) return changes;
      const own = spansOf(name, parts);
      return changes.filter(({ offset }) => (find(own, offset)?.start ?? FILE_SCOPE.start) === FILE_SCOPE.start);
    },
  };
}

type Draft = { start: number; end: number; value: Value | undefined };

function declarationsOf(name: string, parts: readonly DeclarationPart[]): readonly Declaration[] | undefined {
  const all: Draft[] = [];
  for (const part of parts) {
    for (const { start, end, value } of part.declared.get(name) ?? []) {
      const same = all.find((other) => other.start === start && other.end === end);
      if (same === undefined) all.push({ start, end, value });
      // Overloads of a function are one function; anything else that is declared twice tells nothing.
      else if (same.value?.kind !== "function" || value?.kind !== "function") same.value = undefined;
    }
  }
  if (all.length === 0) return undefined;
  const apply = (change: Change): void => {
    const found = find(all, change.offset) as Draft | undefined;
    if (found?.value === undefined) return;
    found.value = change.kind === "assigned" ? undefined : changed(found.value, change);
  };
  // Of a text or a number, what other names of it are given to does not matter.
  const changes = all.some(({ value }) => isChangeable(value)) ? changesOf(name, parts) : changesTo(name, parts);
  for (const change of changes) apply(change);
  return all;
}

const changesTo = (name: string, parts: readonly DeclarationPart[]): readonly Change[] =>
  parts.flatMap((part) => part.changes.get(name) ?? []);

const spansOf = (name: string, parts: readonly DeclarationPart[]): readonly Declaration[] =>
  parts.flatMap((part) => part.declared.get(name) ?? []);

/** What happens to a name under its own name and under its others. */
function changesOf(name: string, parts: readonly DeclarationPart[], seen: readonly string[] = []): readonly Change[] {
  const direct = changesTo(name, parts);
  const aliases = parts.flatMap((part) => part.aliases.get(name) ?? []);
  if (aliases.length === 0 || seen.includes(name)) return direct;
  const throughAliases = aliases.flatMap((alias) => {
    const changes = changesOf(alias.name, parts, [...seen, name]).filter(({ kind }) => kind !== "assigned");
    if (changes.length === 0) return [];
    const declared = spansOf(alias.name, parts);
    const own = find(declared, alias.offset);
    return changes
      .filter(({ offset }) => find(declared, offset)?.start === own?.start)
      .map((change) => ({ ...change, offset: alias.offset, path: [...alias.path, ...change.path] }));
  });
  return [...direct, ...throughAliases];
}

/** The innermost declaration that is seen at the offset. */
export function find(declarations: readonly Declaration[] | undefined, offset: number): Declaration | undefined {
  let best: Declaration | undefined;
  for (const declaration of declarations ?? []) {
    const isSeen = declaration.start <= offset && offset <= declaration.end;
    if (isSeen && (best === undefined || declaration.start >= best.start)) best = declaration;
  }
  return best;
}
