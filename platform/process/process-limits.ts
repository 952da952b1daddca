// The limits of one pack process on this machine and on its host, and the errors for exceeding them.
import type { FrameLimits } from "../../protocol/frames.ts";
import { PackAuthError } from "../errors.ts";

export interface ProcessLimits {
  /** Milliseconds in which the process must load the pack. */
  readonly loadTime: number;
  /** Bytes of resident memory, ArrayBuffers included. */
  readonly memory: number;
  /**
   * Limits of one message from the process. Reading a message must not block the host: 4 MB of rows take 20 ms. A message that consists
   * mainly of brackets is refused earlier.
   */
  readonly message: FrameLimits;
  /** Limits of one result, which may arrive in parts. */
  readonly result: Pick<FrameLimits, "json" | "structure">;
  /** Console entries of one process. Further entries are dropped. */
  readonly consoleEntries: number;
}

const MEGABYTE = 1024 * 1024;

export const DEFAULT_LIMITS: ProcessLimits = {
  loadTime: 20_000,
  memory: 768 * MEGABYTE,
  // The longest attachment is a body of 25 MB as base64.
  message: { json: 4 * MEGABYTE, attachment: 36 * MEGABYTE, structure: 250_000 },
  result: { json: 12 * MEGABYTE, structure: 1_000_000 },
  consoleEntries: 5_000,
};

/** Default time limit of one execution in milliseconds. */
export const TIME_LIMIT = 60_000;

/**
 * Converts seconds to milliseconds for a timer. A timer with a larger value would expire at once, so the result is capped at about 25 days.
 */
export const timeLimitOf = (seconds: number): number => Math.min(seconds * 1000, 2 ** 31 - 1);

/** The number of requests that one process may have pending. The process waits with further ones. */
export const MOST_FETCHES = 50;
/** The number of pending bytes beyond which the process waits. */
export const MOST_BYTES_UNDER_WAY = 64 * MEGABYTE;

/** A task for which the host waits. */
export type Task = "start" | "prepare" | "load" | "execute" | "validate" | "answer";

const NOT_IN_TIME: Readonly<Record<Task, (seconds: number) => string>> = {
  start: (seconds) => `The pack did not start within ${seconds} s and was stopped.`,
  prepare: (seconds) => `The pack did not finish loading the Packs SDK within ${seconds} s and was stopped.`,
  load: (seconds) => `The pack did not finish loading within ${seconds} s and was stopped.`,
  execute: (seconds) => `The pack did not finish within ${seconds} s and was stopped.`,
  validate: (seconds) => `The pack was not validated within ${seconds} s and was stopped.`,
  answer: (seconds) => `The pack did not answer within ${seconds} s and was stopped.`,
};

/** `time` is in milliseconds, and so is `worked`: how long the pack had a processor, or undefined if that is unknown. */
export const notInTime = (task: Task, time: number, worked: number | undefined): PackAuthError =>
  new PackAuthError("time-limit", NOT_IN_TIME[task](time / 1000), { hint: hintFor(time, worked) });

function hintFor(time: number, worked: number | undefined): string {
  if (worked === undefined) return "Look for an endless loop, or for a promise that never settles.";
  if (worked > time / 2) return "Look for an endless loop.";
  return `It had a processor for ${(worked / 1000).toFixed(1)} s of that time. Look for a promise that never settles, or try again when the machine is less busy.`;
}

export const tooMuchMemory = (limit: string): PackAuthError =>
  new PackAuthError("memory-limit", `The pack used too much memory (limit: ${limit}) and was stopped.`, {
    hint: "Work in smaller pieces: fetch pages, and drop what is no longer needed.",
  });

export const tooMuchOutput = ({ message, result }: ProcessLimits): PackAuthError =>
  new PackAuthError(
    "output-limit",
    `The pack returned too much at once. An array may have ${Math.round(result.json / MEGABYTE)} MB and ${result.structure.toLocaleString("en")} values. Other results may have ${Math.round(message.json / MEGABYTE)} MB and ${message.structure.toLocaleString("en")} values.`,
    { hint: "Return less, or page through it in a sync table." },
  );

export const tooMuchConsole = (): PackAuthError =>
  new PackAuthError("output-limit", "The pack logged too much and was stopped.", { hint: "Log less." });

export const tampered = (): PackAuthError =>
  new PackAuthError("process-crashed", "The pack changed how its objects become JSON, so its messages cannot be read. It was stopped.", {
    hint: "Look for a toJSON on Object.prototype, or for changes of the built-in objects.",
  });

/** `stderr` is the process's error output, in which V8 reports that its memory limit was reached. */
export function endedByItself(code: number | null, signal: string | null, stderr: string): PackAuthError {
  if (/heap out of memory|Allocation failed/.test(stderr)) return tooMuchMemory("512 MB of objects");
  return new PackAuthError("process-crashed", `The pack process ended unexpectedly (${signal ?? `code ${code}`}).`, {
    hint: stderr.trim().split("\n").slice(0, 3).join(" ") || "Run it again.",
  });
}
