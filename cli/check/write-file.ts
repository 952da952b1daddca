// A source that is mended stays what it was but for its text: its mode, and whatever links lead to it.
import { realpathSync, statSync } from "node:fs";
import { writeWhole } from "../../platform/files/write-file.ts";

/** Never half-written; follows a link to what it leads to. False where it is no longer as `onlyIf` wants it. Throws what the file system says. */
export function replaceFile(path: string, text: string, onlyIf: () => boolean): Promise<boolean> {
  const target = realpathSync(path);
  return writeWhole(target, text, { mode: statSync(target).mode, onlyIf });
}
