// Creates a folder and its parents.
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder, private to this person (0700) by default. Node's recursive mkdir never ends if a folder cannot be created in an
 * existing one, such as /proc.
 * Throws the file system's error.
 */
export function makeFolder(path: string, mode = 0o700): void {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it.
    if (!isThere()) throw error;
  }
}
