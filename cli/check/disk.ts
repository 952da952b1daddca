// What the check reads from disk: each file once, with the reason where one cannot be read.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, realpathSync, statSync } from "node:fs";
import { errorMessage } from "../../base/error-message.ts";
import { decoded } from "../../server/analysis/text/decode.ts";
import { MOST_CHARACTERS } from "../../server/analysis/text/involved.ts";
import { slashes } from "./files.ts";
import { type LeftFolder, leavingLink } from "./links.ts";

export interface Disk {
  /** The text of a file; undefined where there is none that can be read. */
  read(path: string): string | undefined;
  /** Why a file that was read gave no text. */
  failure(path: string): string;
  /** Whether the text stands for every byte of the file, so that writing it back loses nothing. */
  isExact(path: string): boolean;
}

/** Where nearly all sources fit in; each is text before the next one comes. */
const ROOM = Buffer.allocUnsafeSlow(2 ** 18);

/** More than the longest source that is checked can have, in any encoding. */
const MOST_BYTES = 8 * MOST_CHARACTERS;

/** A configuration, lock file or other JSON; larger ones are not read, in the editor neither. */
const MOST_BYTES_OF_OTHER_FILES = 4 * 1024 * 1024;
const SOURCE = /\.[cm]?[jt]sx?$/i;

/** Of a named pipe, to open it does not wait for who writes to it. Windows has no such flag. */
const OPENING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Of sources, what is longer is read as far as tells that it is too long: recordings of films end in .ts, too. */
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

/** Where a path leads to when all links are followed. */
export function realPath(path: string): string | undefined {
  try {
    return slashes(realpathSync.native(path));
  } catch {
    return undefined;
  }
}

/** Most paths that are asked for do not exist, and an error is dear. */
const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** `leaves` tells of links that are not to be followed. */
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
        // It was removed meanwhile.
        return false;
      }
    },
  };
}
