// The formulas and tables that never ran with the real API, or failed when they last ran.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import type { RecordedRun } from "../../evidence/run-record.ts";
import { atRunnable, type PreflightFacts, runnablesOf } from "../preflight-input.ts";

/** Returns a line for each formula or table that has to run, or one that all succeeded. */
export function formulas(facts: PreflightFacts): readonly PreflightLine[] {
  const { definition, recordOf } = facts;
  const runnables = runnablesOf(definition);
  if (runnables.length === 0) return [];
  const lines = runnables.flatMap((runnable): readonly PreflightLine[] => {
    const text = problemOf(runnable.name, recordOf(runnable)?.run);
    return text === undefined
      ? []
      : [{ topic: "formulas", verdict: "never-tried", text, ...atRunnable(facts, runnable), action: { kind: "run", runnable } }];
  });
  return lines.length > 0 ? lines : [{ topic: "formulas", verdict: "fits", text: "Every formula and table succeeded when it last ran." }];
}

function problemOf(name: string, run: RecordedRun | undefined): string | undefined {
  if (run === undefined) return `${name} never ran here. Run it.`;
  if (run.isSandbox) return `${name} ran in the sandbox only. Run it with the real API.`;
  return run.status === "failed" ? `${name} failed when it last ran. Run it until it succeeds.` : undefined;
}
