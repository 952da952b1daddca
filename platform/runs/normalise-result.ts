// Changes a result as the platform does: renames keys to the schema's property names and drops keys that the schema does not have. Also
// converts edited rows back to the pack's own keys.

import { getOrInsert } from "../../base/get-or-insert.ts";
import { isRecord } from "../../base/is-record.ts";
import { put } from "../process/parse-long.ts";
import { asSchema, keyOf, propertiesOf, type Schema } from "./schema.ts";

/** Returns the value under the schema's names. Parts that do not conform to the schema are unchanged; they are checked afterwards. */
export function normaliseResult(value: unknown, schema: Schema | undefined): unknown {
  if (schema?.type === "array") {
    const items = asSchema(schema.items);
    return Array.isArray(value) && propertiesOf(items) !== undefined ? value.map((item) => rename(item, items, toNames)) : value;
  }
  return rename(value, schema, toNames);
}

/** Returns a row under the pack's own keys. */
export const denormaliseRow = (row: unknown, schema: Schema | undefined): unknown => rename(row, schema, toKeys);

/** Converts property names to the pack's own keys. */
export function denormaliseNames(names: readonly string[], schema: Schema | undefined): readonly string[] {
  const properties = propertiesOf(schema) ?? {};
  return names.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined ? name : keyOf(name, property);
  });
}

/** Maps a key of the value to its new keys, each with the schema of its value. */
type Direction = (properties: Readonly<Record<string, Schema>>) => (key: string) => readonly (readonly [string, Schema | undefined])[];

/** Caches the mapping of each schema, because a table needs it for every row. */
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

/** The number of keys that are cached for one schema. Rows may have any number of different keys. */
const MOST_KEYS = 1_000;

const toKeys = once((properties) => (name) => {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return [[property === undefined ? name : keyOf(name, property), property]];
});

/** Renames the keys of a nested value. The platform replaces null with an empty object if the schema has an object. */
const renameWithin = (value: unknown, schema: Schema | undefined, direction: Direction): unknown =>
  rename(value === null && propertiesOf(schema) !== undefined ? {} : value, schema, direction);

/** Returns the value itself if no key is renamed or dropped. */
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
