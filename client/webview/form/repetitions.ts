// The repeated parameters: the number of their repetitions in the form, and the keys of their fields.
import type { FormValues } from "../../../protocol/panel.ts";

/** The key of the form value for the number of repetitions. */
export const REPETITIONS = "#repetitions";
export const MOST_REPETITIONS = 50;

export function repetitions(values: FormValues): number {
  const count = Number(values[REPETITIONS] ?? "0");
  return Number.isInteger(count) ? Math.min(Math.max(count, 0), MOST_REPETITIONS) : 0;
}

/** Returns the key of a parameter's field in a repetition; repetitions are counted from zero. */
export const repeatedKey = (name: string, repetition: number): string => `${name}#${repetition}`;
