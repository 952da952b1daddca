// Decides whether a run failed: for the exit code of `pack-auth run`, and for which runs may become a saved test.
import { isRecord } from "../../base/is-record.ts";
import type { RunReport } from "../../protocol/run.ts";

/**
 * Returns the message of the run's error, or of the first row that an update could not write. Returns undefined if the run did not fail.
 */
export function failureMessage({ target, outcome }: Pick<RunReport, "target" | "outcome">): string | undefined {
  if (outcome.status === "failed") return outcome.error.message;
  if (target.kind !== "update" || !Array.isArray(outcome.value)) return undefined;
  const row: unknown = outcome.value.find((each: unknown) => isRecord(each) && each.outcome === "error");
  return isRecord(row) ? String(isRecord(row.error) ? row.error.message : "") : undefined;
}
