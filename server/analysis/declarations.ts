// The names that a file declares, scope by scope, and what becomes of them: a name that is assigned again tells nothing, and an object
// that is written to, or handed to someone who may write to it, may have more in it than its literal says.
import type { Declaration, DeclaredNames, ObjectValue, Place, Span, Value } from "./model.ts";

/** What happens to a name after its declaration, seen at an offset. */
export type Change = { readonly name: string; readonly offset: number } & (
  | { readonly kind: "assigned" }
  /** `name.property = …`. */
  | { readonly kind: "written"; readonly property: string }
  /** Anything may have been put into it. */
  | { readonly kind: "escaped" }
);

/** The scope of what is declared at a file's top level: all of it, however long the file becomes. */
export const FILE_SCOPE: Span = { start: -1, end: 2 ** 30 };

/** An offset at which the names of the top level alone are seen. */
export const TOP_LEVEL = FILE_SCOPE.start;

/** What one statement of the top level declares and changes, inside it and in the file's scope. */
export interface DeclarationPart {
  readonly declared: Map<string, { readonly start: number; readonly end: number; readonly value: Value | undefined }[]>;
  readonly changes: Map<string, Change[]>;
}

export interface Declarations extends DeclarationPart {
  /** Undefined value: what it stands for is not known. */
  declare(name: string, scope: Span, value: Value | undefined): void;
  change(change: Change): void;
}

export function createDeclarations(): Declarations {
  const declared: DeclarationPart["declared"] = new Map();
  const changes: DeclarationPart["changes"] = new Map();
  return {
    declared,
    changes,
    declare: (name, { start, end }, value) => add(declared, name, { start, end, value }),
    change: (change) => add(changes, change.name, change),
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
  };
}

function declarationsOf(name: string, parts: readonly DeclarationPart[]): readonly Declaration[] | undefined {
  const all: { start: number; end: number; value: Value | undefined }[] = [];
  for (const part of parts) {
    for (const { start, end, value } of part.declared.get(name) ?? []) {
      const same = all.find((other) => other.start === start && other.end === end);
      if (same === undefined) all.push({ start, end, value });
      // Overloads of a function are one function; anything else that is declared twice tells nothing.
      else if (same.value?.kind !== "function" || value?.kind !== "function") same.value = undefined;
    }
  }
  if (all.length === 0) return undefined;
  for (const part of parts) {
    for (const change of part.changes.get(name) ?? []) {
      const found = find(all, change.offset) as { value: Value | undefined } | undefined;
      if (found?.value === undefined) continue;
      if (change.kind === "assigned") found.value = undefined;
      else found.value = opened(found.value, change.kind === "written" ? change.property : undefined);
    }
  }
  return all;
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

function opened(value: Value, property: string | undefined): Value {
  if (value.kind === "array") return { ...value, open: true };
  if (value.kind === "choice") return { ...value, options: value.options.map((option) => opened(option, property)) };
  // The one that another name stands for is changed with it.
  if (value.kind === "reference") return unknownAt(value);
  if (value.kind !== "object") return value;
  const spread = property === undefined ? unknownAt(value) : maybe(value, property);
  return { ...value, open: true, spreads: [...value.spreads, { before: value.properties.length, value: spread }] };
}

/** An object that may have the property, with whatever value. */
function maybe(at: Place, name: string): Value {
  const nowhere = { start: at.start, end: at.start };
  const written: ObjectValue = {
    kind: "object",
    file: at.file,
    ...nowhere,
    properties: [{ name, nameSpan: nowhere, span: nowhere, value: unknownAt(at) }],
    spreads: [],
    open: false,
    trailingComma: false,
  };
  return { kind: "choice", file: at.file, ...nowhere, options: [written, { kind: "undefined", file: at.file, ...nowhere }] };
}

export const unknownAt = ({ file, start, end }: Place): Value & { readonly kind: "unknown" } => ({ kind: "unknown", file, start, end });
