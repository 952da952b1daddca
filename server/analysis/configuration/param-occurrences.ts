// A param of a Custom authentication and every placeholder that stands for it, in all files of the packs that it belongs to: what rename,
// references, definition and highlights go by.

import type { PackModel } from "../model/pack.ts";
import type { FileSpan, Place, Span, Value } from "../model/values.ts";
import { insideQuotes } from "../text/edit.ts";
import { fileSpan } from "../text/place.ts";
import { customAuths, customParams } from "./config.ts";

/** Where a param's name is written. */
interface Occurrence extends FileSpan {
  readonly kind: "declaration" | "placeholder" | "constant";
}

export interface ParamOccurrences {
  readonly name: string;
  /** What the cursor is on. */
  readonly here: Span;
  /** By file and offset, each once. */
  readonly all: readonly Occurrence[];
  /** Why not all of them could be changed together; they are shown all the same. */
  readonly obstacles: readonly Obstacle[];
}

interface Obstacle {
  readonly place: Place;
  readonly what: string;
  readonly why: string;
}

/** The param whose name stands at the offset; undefined where none does. */
export function paramAt(packsOf: (file: string) => readonly PackModel[], file: string, offset: number): ParamOccurrences | undefined {
  const here = packsOf(file)
    .flatMap(writtenIn)
    .find((occurrence) => occurrence.file === file && occurrence.start <= offset && offset <= occurrence.end);
  if (here === undefined) return undefined;
  const { name, start, end } = here;
  const isOfParam = (use: { readonly name?: string }): boolean => use.name === name;
  // A file may belong to several packs, and they to more files: those that are added are looked at too.
  const packs = new Set(packsOf(file));
  for (const pack of packs)
    for (const occurrence of writtenIn(pack).filter(isOfParam)) for (const other of packsOf(occurrence.file)) packs.add(other);
  const uses = [...packs].flatMap(usesIn);
  return {
    name,
    here: { start, end },
    all: inOrder([...packs].flatMap(writtenIn).filter(isOfParam)),
    obstacles: uses.filter((use) => use.name === undefined || (isOfParam(use) && use.occurrence === undefined)),
  };
}

/** Every place in the file where the packs write a param's name, in order. */
export const namesIn = (packs: readonly PackModel[], file: string): readonly Occurrence[] =>
  inOrder(packs.flatMap(writtenIn).filter((occurrence) => occurrence.file === file));

/** By file and offset, each once. */
const inOrder = (all: readonly NamedOccurrence[]): readonly NamedOccurrence[] =>
  [...all]
    .sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1))
    .filter(({ file, start }, index, sorted) => sorted[index - 1]?.start !== start || sorted[index - 1]?.file !== file);

interface NamedOccurrence extends Occurrence {
  readonly name: string;
}

/** A declared param, or a placeholder, and why it could not be renamed if it is not written letter by letter. */
interface Use extends Obstacle {
  /** Undefined: computed. */
  readonly name?: string;
  /** Where a constant is used for the name, the constant. */
  readonly occurrence?: NamedOccurrence | undefined;
}

const writtenIn = (pack: PackModel): readonly NamedOccurrence[] => usesIn(pack).flatMap(({ occurrence }) => occurrence ?? []);

function usesIn(pack: PackModel): readonly Use[] {
  if (customAuths(pack).length === 0) return [];
  const params = customParams(pack).flatMap(({ name, property, value }): readonly Use[] => {
    if (name === undefined || property === undefined || value === undefined) return [];
    const { place } = property.value;
    const literal = contentOf(pack, value, name);
    const kind = value === property.value || isSame(value.place, place) ? "declaration" : "constant";
    return [{ place, what: "The param", why: "is not one plain string", name, occurrence: literal && { ...literal, name, kind } }];
  });
  const placeholders = pack.placeholders.map(({ name, parts, place }): Use => {
    const what = "The placeholder";
    if (name === undefined) return { place, what, why: "has a computed name, which may be this one" };
    const literal = parts === undefined ? nameAt(pack, fileSpan(place), name) : constantOf(pack, parts, name);
    const kind = parts === undefined ? "placeholder" : "constant";
    return { place, what, why: "is put together from several strings", name, occurrence: literal && { ...literal, name, kind } };
  });
  return [...params, ...placeholders];
}

const isSame = (a: Place, b: Place): boolean => a.file === b.file && a.start === b.start && a.end === b.end;

/** The span, where the name stands there letter by letter. */
const nameAt = (pack: PackModel, span: FileSpan, name: string): FileSpan | undefined =>
  pack.text(span.file).slice(span.start, span.end) === name ? span : undefined;

/** What is between the quotes. */
function contentOf(pack: PackModel, value: Value, name: string): FileSpan | undefined {
  const content = value.kind === "string" ? insideQuotes(pack, value.place) : undefined;
  return content && nameAt(pack, content, name);
}

/** The constant that is the whole name. */
function constantOf(pack: PackModel, [only, ...remaining]: readonly Value[], name: string): FileSpan | undefined {
  return only !== undefined && remaining.length === 0 ? contentOf(pack, pack.resolve(only), name) : undefined;
}
