// The fields of a configuration that each fact depends on. A fact is outdated once one of its fields has changed.
import { type FieldName, fieldsJudgedBy, type JudgedCode } from "./configuration-fields.ts";

/**
 * Returns the part of the configuration that a fact depends on. `of` returns a field's value as plain data, or undefined if the field is
 * absent.
 */
export function judgedBy(code: JudgedCode, of: (field: FieldName) => unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    (["type", ...fieldsJudgedBy(code)] as const).map((field) => [
      field,
      field === "headers" || field === "params" ? namesOf(of(field)) : of(field),
    ]),
  );
}

/** Only the name and the prefix of a header or parameter affect requests. */
const namesOf = (entries: unknown): unknown =>
  Array.isArray(entries)
    ? entries.map((entry: { readonly name?: unknown; readonly tokenPrefix?: unknown } | null) => [entry?.name, entry?.tokenPrefix])
    : entries;
