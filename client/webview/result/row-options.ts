// What may be chosen for the properties of a row that is edited: which of them offer something, and what a choice makes of the row.

import { isRecord } from "../../../base/is-record.ts";
import type { Row } from "./rows.ts";

/** A property that offers options; a list takes several of them. */
export interface PropertyWithOptions {
  readonly name: string;
  readonly isList: boolean;
}

/** What a row editor asks for. */
export interface OptionsQuestion {
  readonly property: string;
  readonly row: Row;
  readonly search: string;
}

/** By the schema of a table's rows, or of their list. */
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

/** The row with what was chosen: in a list it is added, or taken out where it stands already. */
export function withChoice(row: Row, { name, isList }: PropertyWithOptions, chosen: unknown): Row {
  if (!isList) return { ...row, [name]: chosen };
  const list: readonly unknown[] = Array.isArray(row[name]) ? (row[name] as readonly unknown[]) : [];
  const text = JSON.stringify(chosen);
  const rest = list.filter((item) => JSON.stringify(item) !== text);
  return { ...row, [name]: rest.length === list.length ? [...list, chosen] : rest };
}
