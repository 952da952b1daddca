// Measures how long a person waits for a run: from the request until its report is drawn, without pauses of the debugger.
import type { RunReport } from "../../protocol/run.ts";
import { Stopwatch } from "./stopwatch.ts";

export type RunClock = ReturnType<typeof createRunClock>;

export function createRunClock() {
  const waits = new WeakMap<RunReport, number>();
  let watch: Stopwatch | undefined;
  let arrived: RunReport | undefined;
  return {
    begin() {
      watch = new Stopwatch();
      arrived = undefined;
    },
    /** Called when the debugger pauses the run or lets it continue. */
    pause: (isPaused: boolean) => watch?.pause(isPaused),
    /** Called when the report arrives; the next drawing ends the wait. */
    arrived(report: RunReport) {
      watch?.pause(false);
      arrived = report;
    },
    /** Called after a drawing. Returns true if it ended the wait. */
    drawn(): boolean {
      if (arrived === undefined || watch === undefined) return false;
      waits.set(arrived, Math.round(watch.time));
      arrived = undefined;
      watch = undefined;
      return true;
    },
    /** Returns milliseconds; undefined for a report from the history. */
    waited: (report: RunReport) => waits.get(report),
  };
}
