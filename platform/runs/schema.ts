// The toolkit's schemas as plain JSON, as far as a run needs them: what kind of value stands where, and under which key the pack gives
// it. Keys are already normalised: the toolkit does that when the pack is defined.
import { isRecord } from "../../base/is-record.ts";

export interface Schema {
  readonly type?: unknown;
  /** Of an array. */
  readonly items?: Schema;
  /** Of an object. */
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly codaType?: unknown;
  /** The key that the pack gives the value under, where it is not the property's own name. */
  readonly fromKey?: unknown;
  /** The property's name as the pack wrote it, before the toolkit made PascalCase of it. */
  readonly originalKey?: unknown;
  /** Whether a person may edit the column of a two-way table, and what may be chosen there: a list, or the name of a function. */
  readonly mutable?: unknown;
  readonly options?: unknown;
  readonly required?: unknown;
  readonly includeUnknownProperties?: unknown;
  readonly idProperty?: unknown;
  /** The former name of `idProperty`. */
  readonly id?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

export const asSchema = (value: unknown): Schema | undefined => (isRecord(value) ? value : undefined);

/** The properties of an object's schema; undefined for every other. */
export function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> | undefined {
  return schema?.type === "object" && isRecord(schema.properties) ? schema.properties : undefined;
}

/** The schema of a table's rows: a table's own schema is that of one row, a getter's that of the list. */
export const rowSchema = (schema: Schema | undefined): Schema | undefined => (schema?.type === "array" ? asSchema(schema.items) : schema);

/** The name of the property that identifies a row. */
export function idPropertyOf(schema: Schema | undefined): string | undefined {
  const name = schema?.idProperty ?? schema?.id;
  return typeof name === "string" ? name : undefined;
}

export const keyOf = (name: string, property: Schema): string =>
  typeof property.fromKey === "string" && property.fromKey !== "" ? property.fromKey : name;
