// A param of a Custom authentication and all its placeholders, in all files of the packs that the file belongs to. Rename, references,
// definition and highlights use them.

import type { PackModel } from "../model/pack.ts";
import type { Expression, FileSpan, Place, Span } from "../model/values.ts";
import { insideQuotes } from "../text/edit.ts";
import { fileSpan } from "../text/place.ts";
import { customAuths, customParams } from "./config.ts";

/** A place where a param's name is written. */
interface Occurrence extends FileSpan {
  readonly kind: "declaration" | "placeholder" | "constant";
}

export interface ParamOccurrences {
  readonly name: string;
  /** The occurrence under the cursor. */
  readonly here: Span;
  /** Ordered by file and offset, without duplicates. */
  readonly all: readonly Occurrence[];
  /** The reasons why the occurrences cannot all be renamed together. They are listed in `all` anyway. */
  readonly obstacles: readonly Obstacle[];
}

interface Obstacle {
  readonly place: Place;
  readonly what: string;
  readonly why: string;
}

/** Returns the param whose name is at the offset, or undefined if there is none. */
export function paramAt(packsOf: (file: string) => readonly PackModel[], file: string, offset: number): ParamOccurrences | undefined {
  const here = packsOf(file)
    .flatMap(writtenIn)
    .find((occurrence) => occurrence.file === file && occurrence.start <= offset && offset <= occurrence.end);
  if (here === undefined) return undefined;
  const { name, start, end } = here;
  const isOfParam = (use: Pick<Use, "name">): boolean => use.name === name;
  // A file may belong to several packs, and these to more files: packs that are added during the loop are visited too.
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

/** Returns every place in the file where the packs write a param's name, in order. */
export const namesIn = (packs: readonly PackModel[], file: string): readonly Occurrence[] =>
  inOrder(packs.flatMap(writtenIn).filter((occurrence) => occurrence.file === file));

/** Sorts by file and offset, and removes duplicates. */
const inOrder = (all: readonly NamedOccurrence[]): readonly NamedOccurrence[] =>
  [...all]
    .sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1))
    .filter(({ file, start }, index, sorted) => sorted[index - 1]?.start !== start || sorted[index - 1]?.file !== file);

interface NamedOccurrence extends Occurrence {
  readonly name: string;
}

/** A declared param or a placeholder, and why it cannot be renamed if its name is not written verbatim. */
interface Use extends Obstacle {
  /** Undefined if the name is computed. */
  readonly name?: string;
  /** Where the name is written verbatim; for a constant, the constant's place. */
  readonly occurrence: NamedOccurrence | undefined;
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
    if (name === undefined) return { place, what, why: "has a computed name, which may be this one", occurrence: undefined };
    const literal = parts === undefined ? nameAt(pack, fileSpan(place), name) : constantOf(pack, parts, name);
    const kind = parts === undefined ? "placeholder" : "constant";
    return { place, what, why: "is put together from several strings", name, occurrence: literal && { ...literal, name, kind } };
  });
  return [...params, ...placeholders];
}

const isSame = (a: Place, b: Place): boolean => a.file === b.file && a.start === b.start && a.end === b.end;

/** Returns the span, if it contains the name verbatim. */
const nameAt = (pack: PackModel, span: FileSpan, name: string): FileSpan | undefined =>
  pack.text(span.file).slice(span.start, span.end) === name ? span : undefined;

/** Returns the span between the quotes, if it is the name. */
function contentOf(pack: PackModel, value: Expression, name: string): FileSpan | undefined {
  const content = value.kind === "string" ? insideQuotes(pack, value.place) : undefined;
  return content && nameAt(pack, content, name);
}

/** Returns the constant that is the whole name. */
function constantOf(pack: PackModel, [only, ...remaining]: readonly Expression[], name: string): FileSpan | undefined {
  return only !== undefined && remaining.length === 0 ? contentOf(pack, pack.resolve(only), name) : undefined;
}
