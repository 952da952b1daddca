// The names that a file declares, scope by scope, and what becomes of them: a name that is assigned again tells nothing, and an object
// that is written to, or handed to someone who may write to it, may have more in it than its literal says.
import type { Declaration, ObjectValue, Place, Span, Value } from "./model.ts";

/** What happens to a name after its declaration, seen at an offset. */
export type Change = { readonly name: string; readonly offset: number } & (
  | { readonly kind: "assigned" }
  /** `name.property = …`. */
  | { readonly kind: "written"; readonly property: string }
  /** Anything may have been put into it. */
  | { readonly kind: "escaped" }
);

export interface Declarations {
  /** Undefined value: what it stands for is not known. */
  declare(name: string, scope: Span, value: Value | undefined): void;
  change(change: Change): void;
  /** All of them, changes applied. */
  finish(): ReadonlyMap<string, readonly Declaration[]>;
}

export function createDeclarations(): Declarations {
  const all = new Map<string, { start: number; end: number; value: Value | undefined }[]>();
  const changes: Change[] = [];
  return {
    declare(name, { start, end }, value) {
      const known = all.get(name) ?? [];
      all.set(name, known);
      const same = known.find((other) => other.start === start && other.end === end);
      if (same === undefined) known.push({ start, end, value });
      // Overloads of a function are one function; anything else that is declared twice tells nothing.
      else if (same.value?.kind !== "function" || value?.kind !== "function") same.value = undefined;
    },
    change: (change) => void changes.push(change),
    finish() {
      for (const change of changes) {
        const found = find(all.get(change.name), change.offset) as { value: Value | undefined } | undefined;
        if (found?.value === undefined) continue;
        if (change.kind === "assigned") found.value = undefined;
        else found.value = opened(found.value, change.kind === "written" ? change.property : undefined);
      }
      return all;
    },
  };
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

export const unknownAt = ({ file, start, end }: Place): Value => ({ kind: "unknown", file, start, end });
