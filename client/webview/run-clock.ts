// How long a person waits for a run: from asking for it until its report is drawn, without what the debugger held.
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
    /** The debugger holds the run, or lets it go on. */
    pause: (isPaused: boolean) => watch?.pause(isPaused),
    /** The run's report is here: the next drawing ends the wait. */
    arrived(report: RunReport) {
      watch?.pause(false);
      arrived = report;
    },
    /** After a drawing; true where that ended the wait. */
    drawn(): boolean {
      if (arrived === undefined || watch === undefined) return false;
      waits.set(arrived, Math.round(watch.time));
      arrived = undefined;
      watch = undefined;
      return true;
    },
    /** Milliseconds; undefined for a report that was called back. */
    waited: (report: RunReport) => waits.get(report),
  };
}
