/** Milliseconds of the processor that this process has taken: a busy machine's clock goes on without it. For hang guards. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
