// Measures the processor time of another process from outside.
import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second for programs. */
const MILLISECONDS_PER_TICK = 10;

/** Returns the milliseconds that all threads of a process had a processor; undefined if the system does not tell without another process. */
export function processorTime(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  try {
    // The name of the program, in brackets, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * MILLISECONDS_PER_TICK : undefined;
  } catch {
    return undefined;
  }
}
