// Fields of a result that its schema misses by their spelling: the API gives created_at, the schema has createdAt without fromKey, and the
// column stays empty.
import { isRecord } from "../../base/is-record.ts";
import { spelling } from "../../spec/spelling.ts";
import { keyOf, propertiesOf, type Schema } from "./schema.ts";

interface LostField {
  /** As the pack writes it in the schema. */
  readonly property: string;
  /** As it came. */
  readonly key: string;
}

interface LostFields {
  /** A row as the pack gave it, before the schema's names. */
  row(rawRow: unknown, schema: Schema | undefined): void;
  /** By the property's name in the schema that was normalised. */
  collect(): ReadonlyMap<string, LostField>;
}

/** Rows that are looked at, and names of one result that are remembered: what a schema misses it misses in all rows. */
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
