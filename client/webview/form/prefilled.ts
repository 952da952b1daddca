// The initial values of the fields: the pack's suggestions, and the formula's own example.
import type { ParameterDefinition } from "../../../protocol/definition.ts";
import type { FormValues, Runnable } from "../../../protocol/panel.ts";
import { isDate } from "../result/rows.ts";
import { REPETITIONS, repeatedKey } from "./repetitions.ts";

/** The values of an example belong together, so they are not mixed with values that the author entered now or before a reload. */
export function prefilled(runnable: Runnable, values: FormValues): FormValues {
  const example = Object.keys(values).length === 0 ? exampleValues(runnable) : {};
  return { ...example, ...suggestedValues(runnable.definition.parameters), ...values };
}

export const suggestedValues = (parameters: readonly ParameterDefinition[]): FormValues =>
  fieldValues(parameters.map(({ name, suggestedValue }) => [name, suggestedValue]));

/** Returns the values of the first example that has any. */
function exampleValues({ kind, definition }: Runnable): FormValues {
  if (kind !== "formula") return {};
  const { examples = [], parameters, varargParameters: group } = definition;
  const params = examples.find(({ params = [] }) => params.length > 0)?.params ?? [];
  // Values beyond the formula's parameters belong to no field.
  const further = group.length === 0 ? [] : params.slice(parameters.length);
  const repeated = further.map((_, index) => repeatedKey(group[index % group.length]?.name ?? "", Math.floor(index / group.length)));
  return {
    ...fieldValues([...parameters.map(({ name }) => name), ...repeated].map((key, index) => [key, params[index]])),
    ...(further.length === 0 ? {} : { [REPETITIONS]: String(Math.ceil(further.length / group.length)) }),
  };
}

/** Returns the values as texts, without empty ones. */
function fieldValues(values: readonly (readonly [key: string, value: unknown])[]): FormValues {
  const plain = (value: unknown): unknown => (isDate(value) ? value.$date : value);
  return Object.fromEntries(
    values.flatMap(([key, value]) => {
      if (value === undefined || value === null) return [];
      const data = Array.isArray(value) ? value.map(plain) : plain(value);
      return [[key, typeof data === "string" ? data : JSON.stringify(data)]];
    }),
  );
}
