// Files that the analysis reads, with the time of each: where the editor watches no files, what changed is seen by looking again.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { decoded } from "./analysis/decode.ts";

export interface Disk {
  /** The text of a file; undefined where there is none that can be read. */
  read(path: string): string | undefined;
  /** Where a path leads to when all links are followed; undefined where there is nothing. */
  realPath(path: string): string | undefined;
  /** The files that were read, or found missing, and are otherwise now. */
  changed(): readonly string[];
}

/** Bytes. Larger files are generated, not written. */
export const LARGEST_FILE = 4 * 1024 * 1024;

export function createDisk(): Disk {
  /** Modification time and size by path; empty where there was no file. */
  const seen = new Map<string, string>();
  return {
    read(path) {
      try {
        const { isFile, stamp, size } = look(path);
        seen.set(path, stamp);
        return isFile && size <= LARGEST_FILE ? decoded(readFileSync(path, "utf8"), () => readFileSync(path)) : undefined;
      } catch {
        seen.set(path, "");
        return undefined;
      }
    },
    realPath(path) {
      try {
        return realpathSync.native(path).replaceAll("\\", "/");
      } catch {
        return undefined;
      }
    },
    changed: () => [...seen].filter(([path, stamp]) => stampOf(path) !== stamp).map(([path]) => path),
  };
}

function look(path: string) {
  const found = statSync(path);
  return { isFile: found.isFile(), size: found.size, stamp: `${found.mtimeMs} ${found.size}` };
}

function stampOf(path: string): string {
  try {
    return look(path).stamp;
  } catch {
    return "";
  }
}
