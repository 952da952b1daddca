// A param of a Custom authentication and every placeholder that stands for it, in all files of the packs that it belongs to: what rename,
// references, definition and highlights go by.

import { insideQuotes } from "./edit.ts";
import type { PackModel, Place, Span, Value } from "./model.ts";
import { customAuths, customParams } from "./params.ts";

/** Where a param's name is written. */
export interface Occurrence extends Place {
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

export interface Obstacle {
  readonly place: Place;
  readonly what: "The placeholder" | "The param";
  readonly why: string;
}

/** The param whose name stands at the offset; undefined where none does. */
export function paramAt(packsOf: (file: string) => readonly PackModel[], file: string, offset: number): ParamOccurrences | undefined {
  for (const pack of packsOf(file)) {
    const found = occurrencesIn(pack).find((written) => written.file === file && written.start <= offset && offset <= written.end);
    if (found !== undefined) return collect(packsOf, file, found);
  }
  return undefined;
}

/** Every place in the file where the packs write a param's name, in order. */
export function namesIn(packs: readonly PackModel[], file: string): readonly Occurrence[] {
  const all = packs.flatMap(occurrencesIn).filter((written) => written.file === file);
  return all.filter(({ start }, index) => all.findIndex((other) => other.start === start) === index).sort((a, b) => a.start - b.start);
}

interface Written extends Occurrence {
  readonly name: string;
}

/** Every name of a param that the pack writes out; where a constant is used for it, the constant. */
function occurrencesIn(pack: PackModel): readonly Written[] {
  if (customAuths(pack).length === 0) return [];
  const declared = customParams(pack).flatMap(({ name, property, value }): readonly Written[] => {
    if (name === undefined || property === undefined || value === undefined) return [];
    const literal = contentOf(pack, value, name);
    return literal === undefined
      ? []
      : [{ ...literal, name, kind: value === property.value || isSame(value, property.value) ? "declaration" : "constant" }];
  });
  const used = pack.placeholders.flatMap((placeholder): readonly Written[] => {
    const { name, parts, file, start, end } = placeholder;
    if (name === undefined) return [];
    if (parts === undefined) return pack.text(file).slice(start, end) === name ? [{ file, start, end, name, kind: "placeholder" }] : [];
    const literal = constantOf(pack, parts, name);
    return literal === undefined ? [] : [{ ...literal, name, kind: "constant" }];
  });
  return [...declared, ...used];
}

const isSame = (a: Place, b: Place): boolean => a.file === b.file && a.start === b.start && a.end === b.end;

/** What is between the quotes, where it is the name letter by letter. */
function contentOf(pack: PackModel, value: Value, name: string): Place | undefined {
  const content = value.kind === "string" ? insideQuotes(pack, value) : undefined;
  return content !== undefined && pack.text(value.file).slice(content.start, content.end) === name ? content : undefined;
}

/** The constant that is the whole name. */
function constantOf(pack: PackModel, parts: readonly Value[], name: string): Place | undefined {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? contentOf(pack, pack.resolve(only), name) : undefined;
}

/** A file may belong to several packs, and they to more files: until there are no more. */
function collect(packsOf: (file: string) => readonly PackModel[], file: string, { name, start, end }: Written): ParamOccurrences {
  const packs = new Set<PackModel>();
  const seen = new Set<string>();
  const found = new Map<string, Occurrence>();
  const queue = [file];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const pack of packsOf(next)) {
      if (packs.has(pack)) continue;
      packs.add(pack);
      for (const written of occurrencesIn(pack)) {
        if (written.name !== name) continue;
        const { name: _, ...occurrence } = written;
        const key = `${occurrence.file}:${occurrence.start}`;
        if (!found.has(key)) found.set(key, occurrence);
        queue.push(occurrence.file);
      }
    }
  }
  const all = [...found.values()].sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
  return { name, here: { start, end }, all, obstacles: [...packs].flatMap((pack) => obstaclesIn(pack, name)) };
}

function obstaclesIn(pack: PackModel, name: string): readonly Obstacle[] {
  const placeholders = pack.placeholders.flatMap((placeholder): readonly Obstacle[] => {
    const { name: known, parts, file, start, end } = placeholder;
    if (known === undefined)
      return [{ place: { file, start, end }, what: "The placeholder", why: "has a computed name, which may be this one" }];
    if (known !== name) return [];
    const isWritten = parts === undefined ? pack.text(file).slice(start, end) === name : constantOf(pack, parts, name) !== undefined;
    return isWritten ? [] : [{ place: { file, start, end }, what: "The placeholder", why: "is put together from several texts" }];
  });
  const params = customParams(pack).flatMap(({ name: known, property, value }): readonly Obstacle[] =>
    known === name && property !== undefined && value !== undefined && contentOf(pack, value, name) === undefined
      ? [{ place: property.value, what: "The param", why: "is not written as one plain text" }]
      : [],
  );
  return [...params, ...placeholders];
}
