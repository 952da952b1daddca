// What the platform makes of a result: keys renamed to the schema's property names, what the schema does not know left out. And the
// way back, for rows that a person edited.
import { asSchema, isRecord, keyOf, propertiesOf, type Schema } from "./schema.ts";

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
  const made = new WeakMap<object, ReturnType<Direction>>();
  return (properties) => {
    const known = made.get(properties) ?? make(properties);
    made.set(properties, known);
    return known;
  };
};

const toNames = once((properties) => {
  const names = new Map<string, string[]>();
  for (const [name, property] of Object.entries(properties)) {
    if (keyOf(name, property) !== name) names.set(keyOf(name, property), [...(names.get(keyOf(name, property)) ?? []), name]);
  }
  const places = new Map<string, ReturnType<ReturnType<Direction>>>();
  return (key) => {
    const known =
      places.get(key) ??
      (names.get(key) ?? [key]).map((name) => [name, Object.hasOwn(properties, name) ? properties[name] : undefined] as const);
    if (places.size < MOST_KEYS) places.set(key, known);
    return known;
  };
});

/** Keys of one schema that are remembered: rows may have any. */
const MOST_KEYS = 1_000;

const toKeys = once((properties) => (name) => {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return [[property === undefined ? name : keyOf(name, property), property]];
});

/** A key named __proto__ is a key like the others. */
function put(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  else record[key] = value;
}

/** The platform makes an empty object of null where the schema has an object. */
const renameWithin = (value: unknown, schema: Schema | undefined, direction: Direction): unknown =>
  rename(value === null && propertiesOf(schema) !== undefined ? {} : value, schema, direction);

function rename(value: unknown, schema: Schema | undefined, direction: Direction): unknown {
  const properties = propertiesOf(schema);
  if (properties === undefined || !isRecord(value)) return value;
  const placesOf = direction(properties);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    for (const [name, property] of placesOf(key)) {
      if (property === undefined && schema?.includeUnknownProperties !== true) continue;
      const items = asSchema(property?.items);
      const renamed =
        Array.isArray(item) && propertiesOf(items) !== undefined
          ? item.map((each) => renameWithin(each, items, direction))
          : renameWithin(item, property, direction);
      put(result, name, renamed);
    }
  }
  return result;
}
