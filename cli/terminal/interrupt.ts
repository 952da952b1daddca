// Ctrl-C, and a polite request to end: a signal for what is under way, so that nothing is left half done.

/** As shells have it: 128 and the number of the signal. */
export const STOPPED = 130;

/**
 * Ctrl-C that came as a key, since a prompt reads the keyboard itself: heard by whoever listens, as the signal is. Sent to this process it
 * would end it at once on Windows, which has no signals.
 */
export function interrupted(): void {
  if (!process.emit("SIGINT")) process.exit(STOPPED);
}

interface Interrupt {
  readonly signal: AbortSignal;
  /** Whoever comes next ends the process again. */
  release(): void;
}

export function onInterrupt(): Interrupt {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) process.once(name, interrupt);
  return {
    signal: stop.signal,
    release() {
      for (const name of signals) process.off(name, interrupt);
    },
  };
}
