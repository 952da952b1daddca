// How long a person waits for a run: from asking for it until its report is drawn, without what the debugger held.
import type { RunReport } from "../../protocol/run.ts";

export interface RunClock {
  begin(): void;
  /** The debugger holds the run, or lets it go on. */
  hold(isPaused: boolean): void;
  /** The run's report is here: the next drawing ends the wait. */
  arrived(report: RunReport): void;
  /** After a drawing; true where that ended the wait. */
  drawn(): boolean;
  /** Milliseconds; undefined for a report that was called back. */
  waited(report: RunReport): number | undefined;
}

export function createRunClock(): RunClock {
  const waits = new WeakMap<RunReport, number>();
  let begun: number | undefined;
  let heldSince: number | undefined;
  let held = 0;
  let arrived: RunReport | undefined;
  const hold = (isPaused: boolean): void => {
    const now = performance.now();
    if (heldSince !== undefined) held += now - heldSince;
    heldSince = isPaused ? now : undefined;
  };
  return {
    begin() {
      begun = performance.now();
      heldSince = undefined;
      held = 0;
      arrived = undefined;
    },
    hold,
    arrived(report) {
      hold(false);
      arrived = report;
    },
    drawn() {
      if (arrived === undefined || begun === undefined) return false;
      waits.set(arrived, Math.round(performance.now() - begun - held));
      arrived = undefined;
      begun = undefined;
      return true;
    },
    waited: (report) => waits.get(report),
  };
}
