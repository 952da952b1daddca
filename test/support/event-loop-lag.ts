// Measures how long work blocks this process's event loop, because no pack may block it, however large or hostile the pack is.

/** Milliseconds between two measurements of the loop. */
const LOOK = 5;
/** Milliseconds for work that continues right after the end. */
const AFTER = 30;

/**
 * Does the work. `longest` is the most milliseconds of processor time between two turns of the loop. Time in which other processes had the
 * processor, or in which the machine waited for its disk, does not count.
 */
export async function whileWatched<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly longest: number }> {
  let longest = 0;
  let last = performance.now();
  let cpu = process.cpuUsage();
  const watch = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    // Other threads of the process add to the processor time, so the elapsed time is the upper limit.
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
    last = now;
    cpu = process.cpuUsage();
  }, LOOK);
  try {
    const value = await work();
    await new Promise((resolve) => setTimeout(resolve, AFTER));
    return { value, longest };
  } finally {
    clearInterval(watch);
  }
}
