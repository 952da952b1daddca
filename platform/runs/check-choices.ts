// Checks the choices that autocomplete and the functions that list tables or endpoints return: choices of another form cannot be shown.

import { isRecord } from "../../base/is-record.ts";
import type { ResultWarning, RunReport } from "../../protocol/run.ts";

/** The number of invalid choices that are reported. */
const MOST = 20;

/** Whether the target returns choices. */
export const givesChoices = (target: RunReport["target"]): boolean =>
  target.kind === "autocomplete" ||
  (target.kind === "table" && target.function.endsWith("DynamicUrls")) ||
  (target.kind === "authentication" && target.function.name === "getOptions");

/** Returns a warning for each choice that is not a MetadataFormulaResultType of the SDK: a string, a number, or `{ display, value }`. */
export function choiceWarnings(value: unknown): readonly ResultWarning[] {
  if (!Array.isArray(value)) return [{ path: "", message: "Return an array of choices. Users see no choices otherwise." }];
  return value
    .flatMap((choice: unknown, index): readonly ResultWarning[] => {
      const fits = isRecord(choice) ? isValue(choice.value) && typeof choice.display === "string" : isValue(choice);
      return fits
        ? []
        : [{ path: `[${index}]`, message: "A choice must be a string, a number, or { display: string, value: string or number }." }];
    })
    .slice(0, MOST);
}

const isValue = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
