// What the platform makes of a result: keys renamed to the schema's property names, what the schema does not know left out. And the
// way back, for rows that a person edited.

import { getOrInsert } from "../../base/get-or-insert.ts";
import { isRecord } from "../../base/is-record.ts";
import { put } from "../process/parse-long.ts";
import { asSchema, keyOf, propertiesOf, type Schema } from "./schema.ts";

/** The value under the schema's own names. Whatever does not fit the schema stays as it is: it is checked afterwards. */
export function normaliseResult(value: unknown, schema: Schema | undefined): unknown {
  if (schema?.type === "array") {
    const items = asSchema(schema.items);
    return Array.isArray(value) && propertiesOf(items) !== undefined ? value.map((item) => rename(item, items, toNames)) : value;
  }
  return rename(value, schema, toNames);
}

/** A row under the keys that the pack itself uses. */
export const denormaliseRow = (row: unknown, schema: Schema | undefined): unknown => rename(row, schema, toKeys);

/** Property names → the keys that the pack itself uses. */
export function denormaliseNames(names: readonly string[], schema: Schema | undefined): readonly string[] {
  const properties = propertiesOf(schema) ?? {};
  return names.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined ? name : keyOf(name, property);
  });
}

/** Where a key of the value goes: new key and the schema of what stands there. */
type Direction = (properties: Readonly<Record<string, Schema>>) => (key: string) => readonly (readonly [string, Schema | undefined])[];

/** Made once for each schema: a table asks for every row. */
const once = (make: Direction): Direction => {
  const cache = new WeakMap<Parameters<Direction>[0], ReturnType<Direction>>();
  return (properties) => getOrInsert(cache, properties, make);
};

const toNames = once((properties) => {
  const names = new Map<string, string[]>();
  for (const [name, property] of Object.entries(properties)) {
    if (keyOf(name, property) !== name) getOrInsert(names, keyOf(name, property), () => []).push(name);
  }
  const places = new Map<string, ReturnType<ReturnType<Direction>>>();
  return (key) => {
    const targets =
      places.get(key) ??
      (names.get(key) ?? [key]).map((name) => [name, Object.hasOwn(properties, name) ? properties[name] : undefined] as const);
    if (places.size < MOST_KEYS) places.set(key, targets);
    return targets;
  };
});

/** Keys of one schema that are remembered: rows may have any. */
const MOST_KEYS = 1_000;

const toKeys = once((properties) => (name) => {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return [[property === undefined ? name : keyOf(name, property), property]];
});

/** The platform makes an empty object of null where the schema has an object. */
const renameWithin = (value: unknown, schema: Schema | undefined, direction: Direction): unknown =>
  rename(value === null && propertiesOf(schema) !== undefined ? {} : value, schema, direction);

/** The value itself where nothing is renamed and nothing left out. */
function rename(value: unknown, schema: Schema | undefined, direction: Direction): unknown {
  const properties = propertiesOf(schema);
  if (properties === undefined || !isRecord(value)) return value;
  const placesOf = direction(properties);
  const keys = Object.keys(value);
  let copy: Record<string, unknown> | undefined;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string;
    const all = placesOf(key);
    const isIncluded = schema?.includeUnknownProperties === true || all[0]?.[1] !== undefined;
    const places = isIncluded ? all : all.filter(([, property]) => property !== undefined);
    const [first] = places;
    const item = first === undefined ? undefined : renamed(value[key], first[1], direction);
    if (copy === undefined && places.length === 1 && first?.[0] === key && item === value[key]) continue;
    if (copy === undefined) {
      copy = {};
      for (const before of keys.slice(0, at)) put(copy, before, value[before]);
    }
    for (const place of places) put(copy, place[0], place === first ? item : renamed(value[key], place[1], direction));
  }
  return copy ?? value;
}

function renamed(item: unknown, property: Schema | undefined, direction: Direction): unknown {
  const items = asSchema(property?.items);
  if (!Array.isArray(item) || propertiesOf(items) === undefined) return renameWithin(item, property, direction);
  const list = item.map((each) => renameWithin(each, items, direction));
  return list.every((each, index) => each === item[index]) ? item : list;
}
