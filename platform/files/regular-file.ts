// Reads files that are found by name, without a request of the user. A named pipe would block its reader for ever, and a device never ends.
import { lstatSync, readFileSync, statSync } from "node:fs";

/** Bytes of a small file, such as settings. To parse more of them would hold this process, whatever they nest. */
const SMALL = 64 * 1024;

/** Bytes of a package.json: npm's registry adds to those that it publishes. */
export const LARGEST_MANIFEST = 256 * 1024;

/** Bytes of a source; larger files are generated and not written by hand. */
export const LARGEST_SOURCE = 4 * 1024 * 1024;

/** Returns the text of a file, a small one by default. Returns undefined if it is missing, unreadable, too large, or not a regular file. */
export function readRegularFile(path: string, mostBytes = SMALL, encoding: BufferEncoding = "utf8"): string | undefined {
  try {
    // Most of these files do not exist, and an exception is expensive.
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size <= mostBytes ? readFileSync(path, encoding) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the text of a file that git reads. A link in its place is not followed, as in git, because it may lead out of the repository. */
export function readUnlinkedFile(path: string, mostBytes = SMALL, encoding: BufferEncoding = "utf8"): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false ? readRegularFile(path, mostBytes, encoding) : undefined;
  } catch {
    return undefined;
  }
}
