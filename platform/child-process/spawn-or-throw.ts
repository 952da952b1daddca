// Starts a process, even on a machine without free resources. If too many files are open, Node returns a process without ID and pipes, and
// emits an error event. Without a listener, that event would end this process.
import type { ChildProcess } from "node:child_process";
import { errorMessage } from "../../base/error-message.ts";
import { type ErrorCode, PackAuthError } from "../errors.ts";

/**
 * Returns the process with its pipes. Throws an error with the code if there are no resources; other failures, such as a missing program,
 * stay events.
 */
export function spawnOrThrow<T extends ChildProcess>(start: () => T, code: ErrorCode, message: string): T {
  const createError = (cause: unknown): PackAuthError =>
    new PackAuthError(code, `${message} ${errorMessage(cause)}.`, {
      hint: "Close other programs, or raise the limit of open files (ulimit -n), and try again.",
      cause,
    });
  let child: T;
  try {
    child = start();
  } catch (cause) {
    throw createError(cause);
  }
  if (child.stdin !== undefined) return child;
  child.on("error", () => {});
  throw createError(new Error("too many files are open (EMFILE)"));
}
