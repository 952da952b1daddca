// What the last drill of each formula and table showed.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { atRunnable, type PreflightFacts, runnablesOf } from "../preflight-input.ts";

/** Returns a line for each formula or table whose last drill ended badly, or one for all. */
export function drills(facts: PreflightFacts): readonly PreflightLine[] {
  const { definition, recordOf, input } = facts;
  const runnables = runnablesOf(definition);
  if (runnables.length === 0) return [];
  const drilled = runnables.flatMap((runnable) => {
    const drill = recordOf(runnable)?.drill;
    return drill === undefined ? [] : [{ runnable, badDays: drill.badDays }];
  });
  if (drilled.length === 0)
    return [
      {
        topic: "drills",
        verdict: "never-tried",
        text: `No formula was drilled, which shows what its user sees on a bad day. ${input.words({ do: "drill" })}`,
      },
    ];
  const lines = drilled
    .filter(({ badDays }) => badDays.length > 0)
    .map(({ runnable, badDays }): PreflightLine => {
      const days = badDays.map(({ title, verdict }) => `${title} (${verdict})`).join("; ");
      return {
        topic: "drills",
        verdict: "differs-there",
        text: `${runnable.name} ended badly in its last drill: ${days}. ${input.words({ do: "drill" })}`,
        ...atRunnable(facts, runnable),
      };
    });
  if (lines.length > 0) return lines;
  const count = drilled.length === 1 ? "The drilled formula ends" : `The ${drilled.length} drilled formulas end`;
  return [{ topic: "drills", verdict: "fits", text: `${count} every bad day well.` }];
}
