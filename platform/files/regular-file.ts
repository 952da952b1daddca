// Files that are read because of their name, without anybody having asked for them: a named pipe would keep its reader waiting for ever, and
// a device never ends.
import { lstatSync, readFileSync, statSync } from "node:fs";

/** Larger ones are generated, not written. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The text of a file; undefined where there is none, none that can be read, a longer one, or no regular file. */
export function readRegularFile(path: string, mostBytes = MOST_BYTES, encoding: BufferEncoding = "utf8"): string | undefined {
  try {
    // Most are not there, and an error is dear.
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size <= mostBytes ? readFileSync(path, encoding) : undefined;
  } catch {
    return undefined;
  }
}

/** The same for files that git reads, which follows no link that stands in their place: it may lead out of the repository. */
export function readUnlinkedFile(path: string, mostBytes = MOST_BYTES, encoding: BufferEncoding = "utf8"): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false ? readRegularFile(path, mostBytes, encoding) : undefined;
  } catch {
    return undefined;
  }
}
