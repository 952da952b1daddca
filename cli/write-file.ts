// A source that is mended stays what it was but for its text: its mode, and whatever links lead to it.
import { realpathSync, statSync } from "node:fs";
import { writeWhole } from "../platform/write-file.ts";

/** Never half-written; follows a link to what it leads to. Throws what the file system says. */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  writeWhole(target, text, statSync(target).mode);
}
