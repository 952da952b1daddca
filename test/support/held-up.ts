// How long this process's event loop is held up while something is done: what a pack may not bring about, however large or hostile it is.

/** Every how many milliseconds the loop is looked at. */
const LOOK = 5;
/** Milliseconds for what the work left to be done right after it. */
const AFTER = 30;

/**
 * Does the work. `longest`: the most milliseconds of processor time between two turns of the loop. A moment in which others had the processor,
 * or the machine its disk, is none of this process's and does not count.
 */
export async function whileWatched<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly longest: number }> {
  let longest = 0;
  let last = performance.now();
  let cpu = process.cpuUsage();
  const watch = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    // Other threads of the process add to the processor time: no turn took longer than the clock says.
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
