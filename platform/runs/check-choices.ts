// Where a list of choices is none that a person could be shown: what autocomplete and the functions that list tables or endpoints give.

import { isRecord } from "../../base/is-record.ts";
import type { ResultWarning, RunTarget } from "../../protocol/run.ts";

/** Choices whose faults are told one by one. */
const MOST = 20;

/** Whether a target gives choices. */
export const givesChoices = (target: RunTarget): boolean =>
  target.kind === "autocomplete" ||
  (target.kind === "table" && target.function.endsWith("DynamicUrls")) ||
  (target.kind === "authentication" && target.function.name === "getOptions");

/** The toolkit's MetadataFormulaResultType: a text, a number, or `{ display, value }`. */
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
