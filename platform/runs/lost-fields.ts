// Finds fields that a schema misses because of their spelling. For example, the API returns created_at, the schema has createdAt without
// fromKey, and the column stays empty.
import { isRecord } from "../../base/is-record.ts";
import { spelling } from "../../spec/spelling.ts";
import { keyOf, propertiesOf, type Schema } from "./schema.ts";

interface LostField {
  /** The property's name as the pack writes it in the schema. */
  readonly property: string;
  /** The key under which the value arrived. */
  readonly key: string;
}

interface LostFields {
  /** Reads a row as the pack returned it, before its keys are renamed to the schema's names. */
  row(rawRow: unknown, schema: Schema | undefined): void;
  /** Returns the lost fields by the property's name in the normalised schema. */
  collect(): ReadonlyMap<string, LostField>;
}

/** Limits on the rows that are read and the keys that are kept. A field that the schema misses is missing in all rows. */
const MOST_ROWS = 1_000;
const MOST_KEYS = 500;

export function createLostFields(): LostFields {
  const keys = new Set<string>();
  let rows = 0;
  let properties: Readonly<Record<string, Schema>> = {};
  return {
    row(rawRow, schema) {
      if (!isRecord(rawRow) || rows >= MOST_ROWS || schema?.includeUnknownProperties === true) return;
      rows++;
      properties = propertiesOf(schema) ?? properties;
      for (const key of Object.keys(rawRow)) if (keys.size < MOST_KEYS) keys.add(key);
    },
    collect() {
      const missing = Object.entries(properties).filter(([name, property]) => !keys.has(keyOf(name, property)));
      if (missing.length === 0) return new Map();
      const schemaKeys = new Set(Object.entries(properties).map(([name, property]) => keyOf(name, property)));
      const strangers = [...keys].filter((key) => !schemaKeys.has(key));
      return new Map(
        missing.flatMap(([name, property]) => {
          const expectedSpelling = spelling(keyOf(name, property));
          const [key, ...otherKeys] = strangers.filter((stranger) => spelling(stranger) === expectedSpelling);
          const propertyName = typeof property.originalKey === "string" ? property.originalKey : name;
          return key === undefined || otherKeys.length > 0 ? [] : [[name, { property: propertyName, key }] as const];
        }),
      );
    },
  };
}
