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
  row(given: unknown, schema: Schema | undefined): void;
  /** By the property's name in the schema that was normalised. */
  found(): ReadonlyMap<string, LostField>;
}

/** Rows that are looked at, and names of one result that are remembered: what a schema misses it misses in all rows. */
const MOST_ROWS = 1_000;
const MOST_KEYS = 500;

export function createLostFields(): LostFields {
  const keys = new Set<string>();
  let rows = 0;
  let properties: Readonly<Record<string, Schema>> = {};
  return {
    row(given, schema) {
      if (!isRecord(given) || rows >= MOST_ROWS || schema?.includeUnknownProperties === true) return;
      rows++;
      properties = propertiesOf(schema) ?? properties;
      for (const key of Object.keys(given)) if (keys.size < MOST_KEYS) keys.add(key);
    },
    found() {
      const missing = Object.entries(properties).filter(([name, property]) => !keys.has(keyOf(name, property)));
      if (missing.length === 0) return new Map();
      const known = new Set(Object.entries(properties).map(([name, property]) => keyOf(name, property)));
      const strangers = [...keys].filter((key) => !known.has(key));
      return new Map(
        missing.flatMap(([name, property]) => {
          const wanted = spelling(keyOf(name, property));
          const [key, ...others] = strangers.filter((stranger) => spelling(stranger) === wanted);
          const written = typeof property.originalKey === "string" ? property.originalKey : name;
          return key === undefined || others.length > 0 ? [] : [[name, { property: written, key }] as const];
        }),
      );
    },
  };
}
