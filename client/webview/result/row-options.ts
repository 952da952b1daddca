// The options for the properties of an edited row, and the effect of a choice on the row.

import { isRecord } from "../../../base/is-record.ts";
import type { Row } from "./rows.ts";

/** A property with options; an array accepts several of them. */
export interface PropertyWithOptions {
  readonly name: string;
  readonly isList: boolean;
}

/** A row editor's request for options. */
export interface OptionsQuestion {
  readonly property: string;
  readonly row: Row;
  readonly search: string;
}

/** Returns the properties with options from the schema of a table's rows, or of their array. */
export function propertiesWithOptions(schema: unknown): readonly PropertyWithOptions[] {
  const row = isRecord(schema) && isRecord(schema.items) ? schema.items : schema;
  if (!isRecord(row) || !isRecord(row.properties)) return [];
  return Object.entries(row.properties).flatMap(([name, property]) => {
    if (!isRecord(property)) return [];
    const isList = property.type === "array";
    const one = isList && isRecord(property.items) ? property.items : property;
    return one.options === undefined && property.options === undefined ? [] : [{ name, isList }];
  });
}

/** Returns the row with the choice. In an array the choice is added, or removed if it is already there. */
export function withChoice(row: Row, { name, isList }: PropertyWithOptions, chosen: unknown): Row {
  if (!isList) return { ...row, [name]: chosen };
  const list: readonly unknown[] = Array.isArray(row[name]) ? (row[name] as readonly unknown[]) : [];
  const text = JSON.stringify(chosen);
  const rest = list.filter((item) => JSON.stringify(item) !== text);
  return { ...row, [name]: rest.length === list.length ? [...list, chosen] : rest };
}
