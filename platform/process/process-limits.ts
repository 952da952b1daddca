// What one pack process may take of this machine and of its host, and the errors that say so.
import type { FrameLimits } from "../../protocol/frames.ts";
import { PackAuthError } from "../errors.ts";

export interface ProcessLimits {
  /** Milliseconds until the process must have loaded the pack. */
  readonly loadTime: number;
  /** Bytes of resident memory, ArrayBuffers included. */
  readonly memory: number;
  /**
   * One message from the process. Reading it must not stall the host: 4 MB of rows take 20 ms, and what is made of
   * brackets only is refused earlier.
   */
  readonly message: FrameLimits;
  /** One result, which may come in parts. */
  readonly result: Pick<FrameLimits, "json" | "structure">;
  /** Console entries of one process; further ones are dropped. */
  readonly consoleEntries: number;
}

const MEGABYTE = 1024 * 1024;

export const DEFAULT_LIMITS: ProcessLimits = {
  loadTime: 20_000,
  memory: 768 * MEGABYTE,
  // A body of 25 MB as base64 is the longest attachment.
  message: { json: 4 * MEGABYTE, attachment: 36 * MEGABYTE, structure: 250_000 },
  result: { json: 12 * MEGABYTE, structure: 1_000_000 },
  consoleEntries: 5_000,
};

/** Milliseconds of one execution, unless a caller asks for another. */
export const TIME_LIMIT = 60_000;

/** That of so many seconds, as a timer takes it: one that is longer than some weeks would run out at once. */
export const timeLimitOf = (seconds: number): number => Math.min(seconds * 1000, 2 ** 31 - 1);

/** Requests that one process may have under way; it waits with the next ones. */
export const MOST_FETCHES = 50;
/** Bytes of requests and responses on their way, beyond which the process waits. */
export const MOST_BYTES_UNDER_WAY = 64 * MEGABYTE;

/** What a pack process is waited for to do. */
export type Task = "start" | "prepare" | "load" | "execute" | "answer";

const NOT_IN_TIME: Readonly<Record<Task, (seconds: number) => string>> = {
  start: (seconds) => `The pack did not start within ${seconds} s and was stopped.`,
  prepare: (seconds) => `The pack did not finish loading the Packs SDK within ${seconds} s and was stopped.`,
  load: (seconds) => `The pack did not finish loading within ${seconds} s and was stopped.`,
  execute: (seconds) => `The pack did not finish within ${seconds} s and was stopped.`,
  answer: (seconds) => `The pack did not answer within ${seconds} s and was stopped.`,
};

/** `time`: milliseconds. */
export const notInTime = (task: Task, time: number): PackAuthError =>
  new PackAuthError("time-limit", NOT_IN_TIME[task](time / 1000), {
    hint: "Look for an endless loop, or for a promise that never settles.",
  });

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

/** `stderr`: what it printed; V8 says there that its own limit was reached. */
export function endedByItself(code: number | null, signal: string | null, stderr: string): PackAuthError {
  if (/heap out of memory|Allocation failed/.test(stderr)) return tooMuchMemory("512 MB of objects");
  return new PackAuthError("process-crashed", `The pack process ended unexpectedly (${signal ?? `code ${code}`}).`, {
    hint: stderr.trim().split("\n").slice(0, 3).join(" ") || "Run it again.",
  });
}
