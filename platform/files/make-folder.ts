// A folder, with those that it stands in.
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Private to this person (0700) by default. Node's own recursive way never ends where a folder cannot be made in one that is there, such as
 * /proc. Throws what the file system says.
 */
export function makeFolder(path: string, mode = 0o700): void {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isThere()) throw error;
  }
}
