// Removes temporary folders if possible. They contain no secret, so a folder that remains must not fail any work.
import { rmSync } from "node:fs";
import { retryWhileBusy } from "./retry-while-busy.ts";

/**
 * Removes a folder. It is gone on return, unless another program has a file in it open; then it is retried. At the end of the process there
 * is no retry.
 */
export function removeTemporary(folder: string): void {
  void retryWhileBusy(() => rmSync(folder, { recursive: true, force: true })).catch(() => {});
}
