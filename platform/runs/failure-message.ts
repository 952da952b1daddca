// Whether a run failed: for the exit code of `pack-auth run`, and for what may become a saved test.
import { isRecord } from "../../base/is-record.ts";
import type { RunReport } from "../../protocol/run.ts";

/** The message of the error that the run ended with, or of the first row that an update could not write. Undefined for a run that did not fail. */
export function failureMessage({ target, outcome }: Pick<RunReport, "target" | "outcome">): string | undefined {
  if (outcome.status === "failed") return outcome.error.message;
  if (target.kind !== "update" || !Array.isArray(outcome.value)) return undefined;
  const row: unknown = outcome.value.find((each: unknown) => isRecord(each) && each.outcome === "error");
  return isRecord(row) ? String(isRecord(row.error) ? row.error.message : "") : undefined;
}
