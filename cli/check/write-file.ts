// Replaces the text of a fixed source and keeps its mode and the links to it.
import { realpathSync, statSync } from "node:fs";
import { writeWhole } from "../../platform/files/write-file.ts";

/**
 * Replaces the file in one step, and follows a link to its target. Returns false if `onlyIf` no longer holds. Throws the errors of the file
 * system.
 */
export function replaceFile(path: string, text: string, onlyIf: () => boolean): Promise<boolean> {
  const target = realpathSync(path);
  return writeWhole(target, text, { mode: statSync(target).mode, onlyIf });
}
