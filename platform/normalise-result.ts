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

const toNames: Direction = (properties) => {
  const names = new Map<string, string[]>();
  for (const [name, property] of Object.entries(properties)) {
    if (keyOf(name, property) !== name) names.set(keyOf(name, property), [...(names.get(keyOf(name, property)) ?? []), name]);
  }
  return (key) => (names.get(key) ?? [key]).map((name) => [name, Object.hasOwn(properties, name) ? properties[name] : undefined]);
};

const toKeys: Direction = (properties) => (name) => {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return [[property === undefined ? name : keyOf(name, property), property]];
};

function rename(value: unknown, schema: Schema | undefined, direction: Direction): unknown {
  const properties = propertiesOf(schema);
  if (properties === undefined || !isRecord(value)) return value;
  const placesOf = direction(properties);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    for (const [name, property] of placesOf(key)) {
      if (property === undefined && schema?.includeUnknownProperties !== true) continue;
      const items = asSchema(property?.items);
      // defineProperty, so that a key named __proto__ stays a key.
      Object.defineProperty(result, name, {
        value:
          Array.isArray(item) && propertiesOf(items) !== undefined
            ? item.map((each) => rename(each, items, direction))
            : rename(item, property, direction),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return result;
}
