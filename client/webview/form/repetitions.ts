// The parameters that may be entered as often as wanted: how often they are in the form, and the keys of their fields.
import type { FormValues } from "../../../protocol/panel.ts";

/** The form value that says how often the repeated parameters are there. */
export const REPETITIONS = "#repetitions";
export const MOST_REPETITIONS = 50;

export function repetitions(values: FormValues): number {
  const count = Number(values[REPETITIONS] ?? "0");
  return Number.isInteger(count) ? Math.min(Math.max(count, 0), MOST_REPETITIONS) : 0;
}

/** The key of a parameter's field in one of the repetitions, which are counted from zero. */
export const repeatedKey = (name: string, repetition: number): string => `${name}#${repetition}`;
