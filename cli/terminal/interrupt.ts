// Turns Ctrl-C and SIGTERM into an AbortSignal, so that nothing is left half done.
import type { Terminal } from "./terminal.ts";

/** The exit code that shells use for SIGINT: 128 plus the number of the signal. */
export const STOPPED = 130;

/**
 * Handles Ctrl-C that arrives as a key, because a prompt reads the keyboard itself. The event reaches the same listeners as the signal.
 * Sending the signal to this process would end it at once on Windows, which has no signals.
 */
export function interrupted({ signals, exit }: Pick<Terminal, "signals" | "exit">): void {
  if (!signals.emit("SIGINT")) void exit(STOPPED);
}

interface Interrupt {
  readonly signal: AbortSignal;
  /** Stops listening: the next signal ends the process. */
  release(): void;
}

export function onInterrupt({ signals }: Pick<Terminal, "signals">): Interrupt {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) signals.once(name, interrupt);
  return {
    signal: stop.signal,
    release() {
      for (const name of names) signals.off(name, interrupt);
    },
  };
}
