// The frame of every verb that opens something: it stops at Ctrl-C and SIGTERM, turns an error into words and an exit code, and closes
// what was opened.
import { setTimeout } from "node:timers/promises";
import { type ErrorCode, PackAuthError } from "../../platform/errors.ts";
import { onInterrupt, STOPPED } from "../terminal/interrupt.ts";
import { messageOf } from "../terminal/next-steps.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { fail } from "./failure.ts";

/** What the work of a verb uses. */
export interface VerbSession {
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Closes something when the verb has ended. */
  atEnd(close: () => void): void;
}

/**
 * Does the work of a verb. Returns its exit code, 130 if it was stopped, or 1 after it printed a PackAuthError. A terminal sends Ctrl-C to the pack's process, too, whose end is an error then: a stopped verb prints none, but
 * `stopped`, if the work did not end by itself. Throws UsageError, also for an invalid parameter, and every other error.
 */
export async function inSession(terminal: Terminal, work: (session: VerbSession) => Promise<number>, stopped?: string): Promise<number> {
  const interrupt = onInterrupt(terminal);
  const { signal } = interrupt;
  const closers: (() => void)[] = [];
  try {
    return await work({ signal, atEnd: (close) => void closers.unshift(close) });
  } catch (error) {
    if (await isInterrupted(signal)) return stopped === undefined ? STOPPED : stop(terminal, stopped);
    if (error instanceof PackAuthError && isWrongCommand(error)) throw new UsageError(messageOf(error));
    return await fail(terminal, error);
  } finally {
    interrupt.release();
    for (const close of closers) close();
  }
}

/**
 * Returns whether the work was stopped before it failed. Ctrl-C also ends the processes that the work waits for, whose end may be noticed
 * before the signal is.
 */
export async function isInterrupted(signal: AbortSignal): Promise<boolean> {
  await setTimeout(20);
  return signal.aborted;
}

/** Errors about the words of a command. */
const WRONG_COMMAND: readonly ErrorCode[] = ["invalid-parameter", "unknown-formula", "pack-not-found"];

export const isWrongCommand = ({ code }: PackAuthError): boolean => WRONG_COMMAND.includes(code);

/** Prints that the verb was stopped, and what that means. Returns its exit code. */
export function stop({ errorOutput }: Terminal, stopped: string): number {
  errorOutput.write(formatMessage`Cancelled. ${printable(stopped)}\n`);
  return STOPPED;
}
