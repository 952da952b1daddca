// Decides whether the run in view is the one that the form describes, so that it can be saved without running again.
import type { Pack } from "../../platform/process/pack.ts";
import type { RunRecord } from "../../platform/recordings/record-run.ts";
import { isOfMoment } from "../../platform/recordings/record-test.ts";
import { resolveDates } from "../../platform/runs/date-range.ts";
import type { RunInput } from "../../platform/runs/run-input.ts";
import type { RunTarget } from "../../protocol/run.ts";
import type { PanelRuns } from "./panel-runs.ts";

type RunsOfPanel = Pick<PanelRuns, "record" | "recordedWith">;

/** Returns the run in view if it matches the form and the current pack, and has all of its responses. */
export function runInView(
  { record, recordedWith }: RunsOfPanel,
  pack: Pack,
  input: RunInput<RunTarget>,
  account: string | undefined,
): RunRecord | undefined {
  if (record === undefined || record.world.pack !== pack || !record.recorder.isComplete || isOfMoment(record.report)) return undefined;
  const parameters = input.parameters.map((value) => resolveDates(value, input.timezone));
  const isSame = JSON.stringify([{ ...input, parameters }, account]) === JSON.stringify([record.input, recordedWith]);
  return isSame ? (record as RunRecord) : undefined;
}
