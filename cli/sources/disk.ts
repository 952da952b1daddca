// Reads files from disk for the check: each file once, with the reason if it cannot be read.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, realpathSync, statSync } from "node:fs";
import { errorMessage } from "../../base/error-message.ts";
import { decoded } from "../../server/analysis/text/decode.ts";
import { MOST_CHARACTERS } from "../../server/analysis/text/involved.ts";
import { slashes } from "../terminal/short-path.ts";
import { type LeftFolder, leavingLink } from "./links.ts";

export interface Disk {
  /** Returns the text of a file; undefined if it does not exist or cannot be read. */
  read(path: string): string | undefined;
  /** Returns why `read` returned no text for the file. */
  failure(path: string): string;
  /** Returns whether the text represents every byte of the file, so that writing it back loses nothing. */
  isExact(path: string): boolean;
}

/** A reused buffer, large enough for nearly all sources. Each file is decoded before the next one is read. */
const ROOM = Buffer.allocUnsafeSlow(2 ** 18);

/** More bytes than the longest checked source can have in any encoding. */
const MOST_BYTES = 8 * MOST_CHARACTERS;

/** Limit for a configuration, lock file or other JSON. The editor does not read larger ones either. */
const MOST_BYTES_OF_OTHER_FILES = 4 * 1024 * 1024;
const SOURCE = /\.[cm]?[jt]sx?$/i;

/** O_NONBLOCK opens a named pipe without waiting for a writer. Windows has no such flag. */
const OPENING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads a source only as far as needed to see that it is too long: video recordings end in .ts, too. */
function readText(path: string): string {
  const file = openSync(path, OPENING);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("it is not a regular file");
    if (stats.size > MOST_BYTES_OF_OTHER_FILES && !SOURCE.test(path)) throw new Error("it is too large");
    let bytes = ROOM;
    let length = 0;
    for (let read = -1; read !== 0; length += read) {
      if (length === bytes.length && length < MOST_BYTES) bytes = Buffer.concat([bytes], MOST_BYTES);
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    return decoded(bytes.toString("utf8", 0, length), () => bytes.subarray(0, length));
  } finally {
    closeSync(file);
  }
}

/** Returns the path with all links resolved, or undefined if the path does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return slashes(realpathSync.native(path));
  } catch {
    return undefined;
  }
}

/** Checks for existence without an exception: most requested paths do not exist, and exceptions are slow. */
const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Creates a reader that caches texts and failures. `leaves` reports links that must not be followed. */
export function createDisk(leaves: LeftFolder = () => undefined): Disk {
  const texts = new Map<string, string | undefined>();
  const failures = new Map<string, string>();
  return {
    read(path) {
      let text = texts.get(path);
      if (text !== undefined || texts.has(path)) return text;
      try {
        if (isThere(path)) {
          const folder = leaves(path);
          if (folder === undefined) text = readText(path);
          else failures.set(path, leavingLink(folder));
        }
      } catch (error) {
        failures.set(path, errorMessage(error));
      }
      texts.set(path, text);
      return text;
    },
    failure: (path) => failures.get(path) ?? "the file does not exist",
    isExact(path) {
      const text = texts.get(path);
      try {
        return text !== undefined && Buffer.from(text).equals(readFileSync(path));
      } catch {
        // The file was removed in the meantime.
        return false;
      }
    },
  };
}
