// Replaces a file in one step: whoever reads it meanwhile, or after a crash, finds the old text or the new one, never half of it.
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Keeps the file's mode, and follows a link to what it leads to. Throws what the file system says. */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    const file = openSync(beside, "wx", statSync(target).mode);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
