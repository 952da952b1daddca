// Temporary folders of ours: they are removed where that is possible. Nothing secret is in them, and no work fails over one that stays.
import { rmSync } from "node:fs";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** Gone when it returns, unless somebody else has a file of it open; then soon after. At the end of the process there is one try. */
export function removeTemporary(folder: string): void {
  void retryWhileBusy(() => rmSync(folder, { recursive: true, force: true })).catch(() => {});
}
