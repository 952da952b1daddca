// Measures how long work blocks this process's event loop, because no pack may block it, however large or hostile the pack is.
import { existsSync, readFileSync } from "node:fs";

/** Milliseconds between two measurements of the loop. */
const LOOK = 5;
/** Milliseconds for work that continues right after the end. */
const AFTER = 30;

/** The time that this process's main thread had a processor, in nanoseconds, and two other numbers. Only Linux has it. */
const MAIN_THREAD = `/proc/self/task/${process.pid}/schedstat`;

/** Returns the processor time of the main thread in milliseconds; elsewhere than on Linux that of all threads. */
function processorTime(): number {
  if (existsSync(MAIN_THREAD)) return Number(readFileSync(MAIN_THREAD, "utf8").split(" ", 1)[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Does the work. `longest` is the most milliseconds of processor time between two turns of the loop. Time in which other processes had the
 * processor, or in which the machine waited for its disk, does not count.
 */
export async function whileWatched<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly longest: number }> {
  let longest = 0;
  let last = performance.now();
  let cpu = processorTime();
  const watch = setInterval(() => {
    const now = performance.now();
    const used = processorTime();
    // Where other threads add to the processor time, the elapsed time is the upper limit.
    longest = Math.max(longest, Math.min(now - last, used - cpu));
    last = now;
    cpu = used;
  }, LOOK);
  try {
    const value = await work();
    await new Promise((resolve) => setTimeout(resolve, AFTER));
    return { value, longest };
  } finally {
    clearInterval(watch);
  }
}
