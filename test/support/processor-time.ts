/**
 * Returns the milliseconds of processor time of this process. For time limits, because the clock also advances while other processes run.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
