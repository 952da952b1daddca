// The SDK's schemas as plain JSON, as far as a run needs them. They give the type of each value and the key under which the pack returns
// it. The SDK normalised the keys when the pack was defined.
import { isRecord } from "../../base/is-record.ts";

export interface Schema {
  readonly type?: unknown;
  /** The schema of an array's items. */
  readonly items?: Schema;
  /** The schemas of an object's properties. */
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly codaType?: unknown;
  /** The key under which the pack returns the value, if it is not the property's name. */
  readonly fromKey?: unknown;
  /** The property's name as the pack wrote it, before the SDK converted it to PascalCase. */
  readonly originalKey?: unknown;
  /** `mutable`: whether users may edit the column of a two-way table. `options`: the choices, as a list or as the name of a function. */
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

/** Returns the properties of an object schema, or undefined for any other schema. */
export function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> | undefined {
  return schema?.type === "object" && isRecord(schema.properties) ? schema.properties : undefined;
}

/** Returns the schema of a table's rows. A table's own schema describes one row; the schema that getSchema returns describes the array. */
export const rowSchema = (schema: Schema | undefined): Schema | undefined => (schema?.type === "array" ? asSchema(schema.items) : schema);

/** Returns the name of the property that identifies a row. */
export function idPropertyOf(schema: Schema | undefined): string | undefined {
  const name = schema?.idProperty ?? schema?.id;
  return typeof name === "string" ? name : undefined;
}

export const keyOf = (name: string, property: Schema): string =>
  typeof property.fromKey === "string" && property.fromKey !== "" ? property.fromKey : name;
