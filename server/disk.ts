// Files that the analysis reads, with the time of each: where the editor watches no files, what changed is seen by looking again.
import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { writtenAs } from "../base/canonical.ts";
import { decoded } from "./analysis/text/decode.ts";

interface Disk {
  /** The text of a file; undefined where there is none that can be read. */
  read(path: string): string | undefined;
  /**
   * Where a path leads to when all links are followed, but for those above an opened folder: files in it have the names by which the editor
   * opens them. Undefined where there is nothing.
   */
  realPath(path: string): string | undefined;
  /** The files that were read, or found missing, and are otherwise now. */
  findChanges(): readonly string[];
}

/** Bytes. Larger files are generated, not written. */
export const LARGEST_FILE = 4 * 1024 * 1024;

export function createDisk(folders: () => readonly string[] = () => []): Disk {
  /** Modification time and size by path; empty where there was no file. */
  const stamps = new Map<string, string>();
  const openedNames = namesByFolder();
  return {
    read(path) {
      try {
        const { isFile, stamp, size } = look(path);
        stamps.set(path, stamp);
        return isFile && size <= LARGEST_FILE ? decoded(readFileSync(path, "utf8"), () => readFileSync(path)) : undefined;
      } catch {
        stamps.set(path, "");
        return undefined;
      }
    },
    realPath(path) {
      try {
        const real = realpathSync.native(path);
        return slashes(openedNames(folders()).find((name) => name(real) !== real)?.(real) ?? real);
      } catch {
        return undefined;
      }
    },
    findChanges: () => [...stamps].filter(([path, stamp]) => stampOf(path) !== stamp).map(([path]) => path),
  };
}

const slashes = (name: string): string => (path.sep === "/" ? name : name.replaceAll("\\", "/"));

/** For the folders of the last question. */
function namesByFolder(): (folders: readonly string[]) => readonly ((file: string) => string)[] {
  let previousFolders: readonly string[] = [];
  let names: readonly ((file: string) => string)[] = [];
  return (folders) => {
    if (folders !== previousFolders)
      names = folders.map((folder) => writtenAs(folder, { path, realPath: (name) => realpathSync.native(name) }));
    previousFolders = folders;
    return names;
  };
}

function look(path: string) {
  const stats = statSync(path);
  return { isFile: stats.isFile(), size: stats.size, stamp: `${stats.mtimeMs} ${stats.size}` };
}

function stampOf(path: string): string {
  try {
    return look(path).stamp;
  } catch {
    return "";
  }
}
