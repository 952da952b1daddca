// A process on a machine that has no room for it. Where too many files are open, Node gives one without a number and without pipes, and
// tells the reason in an event: unheard, that ends this process.
import type { ChildProcess } from "node:child_process";
import { errorMessage } from "../../base/error-message.ts";
import { type ErrorCode, PackAuthError } from "../errors.ts";

/** The process, with its pipes; another reason than room, such as a missing program, is still told in its event. Throws the code. */
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
