// The fields of the form: one for each parameter, and for each repetition of those that repeat.
import type { FieldText, FormValues, ParameterDefinition, Runnable } from "../../../protocol/panel.ts";

/** A field of the form: a parameter, or one of a repetition of the parameters that repeat. */
export interface Field {
  /** The key of its text in the form's values; unique. */
  readonly key: string;
  readonly label: string;
  readonly parameter: ParameterDefinition;
}

/** The form value that says how often the repeated parameters are there. */
export const REPETITIONS = "#repetitions";
export const MOST_REPETITIONS = 50;

export function repetitions(values: FormValues): number {
  const count = Number(values[REPETITIONS] ?? "0");
  return Number.isInteger(count) ? Math.min(Math.max(count, 0), MOST_REPETITIONS) : 0;
}

/** The fields of one repetition, counted from 0. */
export function repeatedFields(runnable: Runnable, repetition: number): readonly Field[] {
  return runnable.definition.varargParameters.map((parameter) => ({
    key: `${parameter.name}#${repetition}`,
    label: `${parameter.name} ${repetition + 1}`,
    parameter,
  }));
}

export function fieldsOf(runnable: Runnable): readonly Field[] {
  return runnable.definition.parameters.map((parameter) => ({ key: parameter.name, label: parameter.name, parameter }));
}

/** What the fields hold, in the order of the parameters: the host reads it. */
export function fieldTexts(runnable: Runnable, values: FormValues): readonly FieldText[] {
  const count = runnable.definition.varargParameters.length === 0 ? 0 : repetitions(values);
  const repeated = Array.from({ length: count }, (_, index) => repeatedFields(runnable, index)).flat();
  return [...fieldsOf(runnable), ...repeated].map(({ key }) => ({ key, text: values[key] ?? "" }));
}
